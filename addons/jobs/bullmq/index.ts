export * from '../changes/bullmq/index.js';
export * from '../import/bullmq/index.js';
