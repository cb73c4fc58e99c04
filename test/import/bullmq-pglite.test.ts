import { describeBullmq } from './describe-bullmq.js';

describeBullmq('pglite');
