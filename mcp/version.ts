declare const WORKTRACK_VERSION: string | undefined;

/** The package's version; the build puts it in. */
export const version = typeof WORKTRACK_VERSION === 'string' ? WORKTRACK_VERSION : '0.0.0';
