import { inject } from 'vitest';
import { projectIn } from '../../../scripts/consumers/project.js';

/** Creates a project folder with the given files and the packed package. */
export const project = (files: Record<string, string | object>) => projectIn(inject('home'), files);
