import type { Reference } from '../../src/contract/index.js';
import { type ChangeLog, Epoch, type Versioned } from '../store/epoch.js';
import { OrderedLists } from '../store/ordered-lists.js';
import { SortedIndex } from '../store/sorted-index.js';
import { Table } from '../store/table.js';
import { TextIndex } from '../store/text-index.js';
import type { Clock } from './clock.js';
import { IdGenerator, type Random } from './ids.js';
import { InvalidInputError } from './invalid-input-error.js';
import {
  type BoardRow,
  type CommentRow,
  type CredentialRow,
  type DocumentRow,
  defaultSettings,
  type NotificationRow,
  type OrganizationRow,
  type ProjectRow,
  type Settings,
  type TagRow,
  type TicketRow,
  type UserRow,
} from './rows.js';

/**
 * A server's entire state: tables of records and their indexes. The functions in this folder's other files
 * (`tickets.ts`, `documents.ts`, …) keep the tables and indexes consistent.
 */
export class State {
  readonly #epoch = new Epoch();
  readonly clock: Clock;
  readonly organizations = new Table<OrganizationRow>(this.#epoch);
  readonly users = new Table<UserRow>(this.#epoch);
  readonly credentials = new Table<CredentialRow>(this.#epoch);
  readonly projects = new Table<ProjectRow>(this.#epoch);
  readonly boards = new Table<BoardRow>(this.#epoch);
  readonly tickets = new Table<TicketRow>(this.#epoch);
  readonly documents = new Table<DocumentRow>(this.#epoch);
  readonly comments = new Table<CommentRow>(this.#epoch);
  readonly notifications = new Table<NotificationRow>(this.#epoch);
  /** Ticket tags, keyed by project and name. */
  readonly ticketTags = new Table<TagRow>(this.#epoch);
  /** Document tags, keyed by organization and name. */
  readonly documentTags = new Table<Reference>(this.#epoch);
  /** Users in creation order, keyed by organization slot. */
  readonly userOrder = new OrderedLists(this.#epoch);
  /** Live projects in creation order, keyed by organization slot. */
  readonly projectOrder = new OrderedLists(this.#epoch);
  /** Ticket tags in order of first use, keyed by project slot. Includes tags that are no longer in use. */
  readonly tagOrder = new OrderedLists(this.#epoch);
  /** Live tickets in board order, keyed by board slot. */
  readonly ticketOrder = new OrderedLists(this.#epoch, { located: true });
  /** Live tickets with a due date, earliest first, keyed by board ID. */
  readonly dueTickets = new SortedIndex(this.#epoch, (slot) =>
    Date.parse(this.tickets.at(slot).due_at as string),
  );
  /** Live documents in creation order, with the keys that `documents.ts` builds. */
  readonly documentOrder = new SortedIndex(this.#epoch, (slot) => this.documents.at(slot).ordinal);
  readonly ticketTexts = new TextIndex(this.tickets);
  readonly documentTexts = new TextIndex(this.documents);
  readonly #ids: IdGenerator;
  readonly #versioned: readonly Versioned[];
  readonly #fixedSettings: Partial<Settings>;
  #settings = defaultSettings;
  #ordinal = 0;

  /** @param fixedSettings the emulated deployment's settings, which seed data can't override */
  constructor(clock: Clock, random: Random, fixedSettings: Partial<Settings> = {}) {
    this.clock = clock;
    this.#fixedSettings = fixedSettings;
    this.#ids = new IdGenerator(random);
    this.#versioned = Object.values(this)
      .filter((part): part is Versioned => typeof (part as Versioned).restore === 'function')
      .concat(this.#ids);
  }

  get settings(): Settings {
    return this.#settings;
  }

  setSettings(settings: Settings): void {
    this.#settings = { ...settings, ...this.#fixedSettings };
    this.#epoch.changes += 1;
  }

  /**
   * Generates an ID.
   *
   * @param taken the IDs to avoid, because seed data can contain any ID
   */
  newId(taken?: { has(id: string): boolean }): string {
    let id = this.#ids.next(this.clock.milliseconds());
    while (taken?.has(id)) id = this.#ids.next(this.clock.milliseconds());
    return id;
  }

  nextOrdinal(): number {
    this.#ordinal += 1;
    return this.#ordinal;
  }

  /** The number of changes so far. As long as this number is the same, the state hasn't changed. */
  get revision(): number {
    return this.#epoch.changes;
  }

  /** See {@link Epoch.logChanges}. */
  logChanges(): ChangeLog {
    return this.#epoch.logChanges();
  }

  /** Returns the counters for IDs and the creation order. */
  counters(): { ids: unknown; ordinal: number } {
    return { ids: this.#ids.capture(), ordinal: this.#ordinal };
  }

  setCounters({ ids, ordinal }: { ids: unknown; ordinal: number }): void {
    this.#ids.restore(ids);
    this.#ordinal = ordinal;
  }

  /** Takes a snapshot of the entire state, including the clock, in constant time. */
  snapshot(): Snapshot {
    const parts = this.#versioned.map((part) => part.capture());
    const ordinal = this.#ordinal;
    const settings = this.#settings;
    this.#epoch.advance();
    return {
      restoreInto: (state) => {
        if (state !== this) throw new InvalidInputError('restore: the snapshot is from another server');
        this.#versioned.forEach((part, index) => {
          part.restore(parts[index]);
        });
        this.#ordinal = ordinal;
        this.#settings = settings;
        this.#epoch.advance();
      },
    };
  }

  restore(snapshot: Snapshot): void {
    snapshot.restoreInto(this);
  }
}

/** A saved state that `restore()` can restore any number of times. */
export interface Snapshot {
  /** @internal */
  restoreInto(state: State): void;
}
