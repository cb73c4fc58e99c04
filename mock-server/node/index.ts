export { type ListeningServer, type ListenOptions, listen } from './listen.js';
export type { NewSpaceOptions, SpaceOptions } from './spaces.js';
