// The entry point of `npm start` and `npm test`. It runs before anything is installed, so it can't use any
// dependencies. It uses only syntax that old versions of Node.js can parse so that it can tell the user which
// version is required.
const requiredVersion = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < requiredVersion[0] || (major === requiredVersion[0] && minor < requiredVersion[1])) {
  console.error(
    `worktrack needs Node.js ${requiredVersion.join('.')} or later; this is ${process.versions.node}.\n` +
      'Install a newer version (https://nodejs.org), then run the same command again.',
  );
  process.exit(1);
}

const [task = '', ...options] = process.argv.slice(2);
const { setUp } = await import('./setup.mjs');
setUp();
const tasks = { start: './start.mjs', test: './test.mjs' };
if (!Object.hasOwn(tasks, task)) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(tasks).join('|')}`);
  process.exit(2);
}
const { run } = await import(tasks[task]);
process.exitCode = await run(options);
