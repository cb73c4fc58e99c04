import { describeBullmq } from './describe-bullmq.js';

describeBullmq('redis');
