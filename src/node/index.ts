export { type NodeTransport, nodeTransport } from './transport.js';
