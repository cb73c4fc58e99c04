export { type ListeningServer, type ListenOptions, listen } from './listen.js';
