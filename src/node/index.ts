export { type NodeFetch, nodeFetch } from './node-fetch.js';
