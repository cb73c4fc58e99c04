// What the CLI and the conformance kit use in addition to the public entry points.
export type { DeploymentSettings, SettingName } from './deployment/deployment.js';
export { parseDeployment } from './deployment/deployment.js';
export { deploymentWire } from './deployment/emulation.js';
export { errorEnvelopes, recordEnvelopes } from './deployment/envelopes.js';
export type { JournalEntry } from './journal/entry.js';
export { hasCredential } from './node/admin/views.js';
export { bind } from './node/bind.js';
export { hasConsole } from './node/console.js';
export { isPublicUrl } from './node/listen.js';
