import { inject } from 'vitest';
import { projectIn } from '../../../scripts/consumers/project.js';

/** Creates a project folder with the given files, where the packed package is installed. */
export const project = (files: Record<string, string | object>) => projectIn(inject('home'), files);
