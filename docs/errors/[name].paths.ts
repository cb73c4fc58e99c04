import { errorPageTexts } from '../.vitepress/content/error-pages-text.js';

/** One page for each class of errors and each failure code. */
export default {
  paths: () => errorPageTexts().map(({ name, text }) => ({ params: { name }, content: text })),
};
