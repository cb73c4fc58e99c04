import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium as playwright } from 'playwright-core';

const cache = fileURLToPath(new URL('../../node_modules/.cache/worktrack-chromium/', import.meta.url));

/**
 * Starts headless Chromium from the npm package that carries it, with the libraries that come along,
 * so that a Linux machine with only Node.js and npm can run what needs a browser. Elsewhere it is the
 * Chrome that is installed.
 *
 * @throws Error that says what is missing; a browser that does not start is never a passed test
 */
export async function launchChromium(): Promise<Browser> {
  try {
    return await (process.platform === 'linux' ? fromPackage() : playwright.launch({ channel: 'chrome' }));
  } catch (error) {
    const { platform, arch } = process;
    throw new Error(`Nothing was run in a browser: Chromium does not start here (${platform}, ${arch}).`, {
      cause: error,
    });
  }
}

async function fromPackage(): Promise<Browser> {
  const home = await unpack();
  return playwright.launch({
    executablePath: join(home, 'chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
    ],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: [join(home, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: join(home, 'fonts'),
    },
  });
}

/** Unpacks the package's archives once; into a folder that is renamed when whole, so that two runs do not meet. */
async function unpack(): Promise<string> {
  const home = join(cache, '147');
  if (existsSync(join(home, 'chromium'))) return home;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'unpack-'));
  // The package unpacks to the temporary folder, and its libraries only where it takes this for a cloud function.
  const { TMPDIR, AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env;
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    await packaged.executablePath();
  } finally {
    const before = { TMPDIR, AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH, FONTCONFIG_PATH };
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  try {
    renameSync(folder, home);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(join(home, 'chromium'))) throw error;
  }
  return home;
}
