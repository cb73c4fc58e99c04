export { type ListeningServer, type ListenOptions, listen } from './listen.js';
export type { SpaceOptions } from './spaces.js';
