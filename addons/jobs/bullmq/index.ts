export * from '../import/bullmq/index.js';
