/** The version of this package. */
export const VERSION = '0.1.0';

/** The URL of the documentation site without a trailing slash, from `homepage` in package.json. Empty if it isn't set. */
export const DOCS_URL: string = '';
