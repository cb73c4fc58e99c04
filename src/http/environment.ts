/**
 * Reads the `WORKTRACK_<name>` environment variable. Returns undefined if it's unset or empty, or if the
 * platform has no environment variables.
 */
export function readEnvironment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[`WORKTRACK_${name}`] || undefined;
  } catch {
    // Deno throws an error if the process isn't allowed to read the environment.
    return undefined;
  }
}
