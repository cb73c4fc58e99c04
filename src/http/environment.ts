/** Reads `WORKTRACK_<name>`. Returns undefined if it's unset or empty, or if there is no environment. */
export function readEnvironment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[`WORKTRACK_${name}`] || undefined;
  } catch {
    // Deno, without permission to read the environment.
    return undefined;
  }
}
