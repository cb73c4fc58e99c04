import { inject } from 'vitest';
import { projectIn } from '../../../scripts/consumers/project.js';

/** An empty folder in which the packed package is installed, with the given files in it. */
export const project = (files: Record<string, string | object>) => projectIn(inject('home'), files);
