import { describeThrown } from './describe-thrown.js';

/**
 * Returns a function that calls listeners. If listeners fail, the caller continues, and only the first error is
 * printed to the console.
 *
 * @param where what the listeners belong to, for example `import`
 */
export function listenerCaller(where: string): (name: string, listener: () => unknown) => void {
  let hasFailed = false;
  return (name, listener) => {
    // The async function turns exceptions into rejections, so both are handled below.
    const call = async () => listener();
    call().catch((cause) => {
      if (!hasFailed) console.error(`worktrack: ${where}: ${name} failed: ${describeThrown(cause)}`);
      hasFailed = true;
    });
  };
}
