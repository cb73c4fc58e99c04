import { describeBullmq } from './describe-bullmq.js';

describeBullmq('postgres');
