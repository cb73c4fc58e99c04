import { connect } from 'node:net';

export const redisAddress = { host: '127.0.0.1', port: 6379 };
export const postgresAddress = { host: '127.0.0.1', port: 5432, user: 'postgres', database: 'test' };

const [redis, postgres] = await Promise.all([isListening(redisAddress), isListening(postgresAddress)]);

/** The services that are available on this machine. */
export const reachable = { redis, postgres };

function isListening(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: 1000 });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });
}
