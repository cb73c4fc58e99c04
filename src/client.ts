import { createCall } from './http/call.js';
import type { ClientOptions } from './options.js';
import { createLister } from './pagination.js';
import { Boards } from './resources/boards.js';
import { Documents } from './resources/documents.js';
import { Notifications } from './resources/notifications.js';
import { OrganizationResource } from './resources/organization.js';
import { Projects } from './resources/projects.js';
import { Tickets } from './resources/tickets.js';
import type { SdkShape } from './sdk-shape.js';
import { clientSettings } from './settings.js';

/**
 * A client of the Work-Tracking External API.
 *
 * @throws ConfigurationError for an option that is unknown, missing or cannot be
 *
 * @example
 * ```ts
 * const client = new Worktrack({
 *   baseUrl: 'https://work.example.com',
 *   token: process.env.WORKTRACK_TOKEN,
 *   organization: 'org_acme',
 * });
 * const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
 * ```
 */
export class Worktrack implements SdkShape {
  /** The organization itself. */
  readonly organization: OrganizationResource;
  /** Projects, with their members, labels, tags and analytics. */
  readonly projects: Projects;
  /** Boards of a project. */
  readonly boards: Boards;
  /** Tickets, and comments on them. */
  readonly tickets: Tickets;
  /** Documents, and comments on them. */
  readonly documents: Documents;
  /** Notifications to users of the organization. */
  readonly notifications: Notifications;

  constructor(options: ClientOptions = {}) {
    // The settings hold the credential: they stay in the closures of `call`, and are no property.
    const settings = clientSettings(options);
    const call = createCall(settings);
    const list = createLister(call, settings.prefetch);
    this.organization = new OrganizationResource(call);
    this.projects = new Projects(call);
    this.boards = new Boards(call);
    this.tickets = new Tickets(call, list);
    this.documents = new Documents(call, list);
    this.notifications = new Notifications(call);
  }
}
