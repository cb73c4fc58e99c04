/** Runs a check for each case. If a check fails, the error message contains the case. */
export async function checkEach<const Case>(
  cases: readonly Case[],
  check: (one: Case) => void | Promise<void>,
): Promise<void> {
  for (const one of cases) {
    try {
      await check(one);
    } catch (error) {
      if (error instanceof Error) error.message = `${JSON.stringify(one).slice(0, 200)}: ${error.message}`;
      throw error;
    }
  }
}
