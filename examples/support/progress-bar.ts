const width = 30;

/**
 * A bar on one line of a terminal; elsewhere a line for every tenth.
 *
 * @param before what was done by an earlier run
 */
export function progressBar(before: number, total: number) {
  const began = performance.now();
  let shown = -1;
  return (succeeded: number, failed: number): void => {
    const now = before + succeeded + failed;
    const step = Math.floor((now / total) * (process.stdout.isTTY ? 200 : 10));
    if (step === shown && now < total) return;
    shown = step;
    const filled = Math.round((now / total) * width);
    const seconds = (performance.now() - began) / 1000;
    const rate = Math.round((succeeded + failed) / seconds);
    const line = `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${now}/${total}, ${rate}/s${failed ? `, ${failed} failed` : ''}`;
    process.stdout.write(process.stdout.isTTY ? `\r${line}${now < total ? '' : '\n'}` : `${line}\n`);
  };
}
