declare const WORKTRACK_VERSION: string | undefined;

/** The package's version, inserted by the build. */
export const version = typeof WORKTRACK_VERSION === 'string' ? WORKTRACK_VERSION : '0.0.0';
