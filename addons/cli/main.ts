#!/usr/bin/env node
import { processEnvironment } from './context.js';
import { runCli } from './run.js';

process.exitCode = await runCli(process.argv.slice(2), processEnvironment());
