// Makes waits of up to ten seconds in this process 20 times shorter. Longer timers, such as those of request
// timeouts, stay unchanged. Tests either import this file or preload it into a process with `--import`.
const { setTimeout } = globalThis;
globalThis.setTimeout = Object.assign(
  (callback, delay, ...args) => setTimeout(callback, delay <= 10_000 ? delay / 20 : delay, ...args),
  setTimeout,
);
