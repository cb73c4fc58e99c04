import { computed, ref, shallowRef } from 'vue';
import { type Organization, Worktrack } from 'worktrack';
import type { CredentialView, StateDump } from 'worktrack/mock-server';
import { Workspace } from '../../model/workspace.js';
import { AdminApi, AdminApiError } from './admin-api.js';
import { readEvents, type ServerEvent } from './events.js';
import type { ActiveFault, ClockView, FaultsView, JournalEntry, RateLimitView } from './types.js';

/** Requests that the page shows at most. The server keeps more. */
const journalLimit = 1000;

/** Milliseconds until the first attempt to reconnect; it doubles with each attempt, up to the maximum. */
const firstPause = 500;
const maxPause = 5000;

/** Milliseconds for which changes of the state are collected before the records are read again. */
const refreshDelay = 150;

/** Where the admin token is kept: until the tab is closed. */
const tokenKey = 'worktrack-admin-token';

/**
 * - `connecting`: no event has arrived yet
 * - `live`: the page follows the server
 * - `lost`: the connection broke, and the page tries to reconnect
 * - `locked`: the server needs an admin token
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked';

/** A change of the clock: `advance` is in milliseconds. */
export type ClockChange = { set: string } | { advance: number } | { freeze: true } | { real: true };

/** A running mock server, as the console shows and controls it. */
export class MockConsole {
  /** URL of the server, without a slash at its end. */
  readonly serverUrl: string;
  readonly workspace = new Workspace();
  readonly connection = ref<Connection>('connecting');
  /** Name of the space; empty for the one at the root. */
  readonly space = ref('');
  readonly spaces = shallowRef<string[]>([]);
  readonly organizations = shallowRef<Organization[]>([]);
  readonly organizationId = ref('');
  readonly credentials = shallowRef<CredentialView[]>([]);
  /** ID of the credential that the user's actions use. */
  readonly credentialId = ref('');
  /** Newest first. */
  readonly journal = shallowRef<JournalEntry[]>([]);
  readonly clock = ref<ClockView>();
  readonly faults = shallowRef<ActiveFault[]>([]);
  readonly rateLimit = shallowRef<RateLimitView>(null);
  readonly snapshots = shallowRef<string[]>([]);
  /** Why the last control failed. */
  readonly problem = ref('');

  readonly credential = computed(() =>
    this.credentials.value.find(({ id }) => id === this.credentialId.value),
  );

  #api: AdminApi;
  #token = sessionStorage.getItem(tokenKey) ?? '';
  #following: AbortController | undefined;
  #refreshing: Promise<void> | undefined;
  #isOutdated = false;

  constructor(serverUrl: string) {
    this.serverUrl = serverUrl;
    this.#api = this.#apiOf('');
  }

  /** URL of the space, without a slash at its end. */
  get baseUrl(): string {
    return this.#api.baseUrl;
  }

  /** Whether a token was given, which the server rejects while the console is locked. */
  get hasToken(): boolean {
    return this.#token !== '';
  }

  /** Shows a space, and follows its events until another space is shown. */
  async show(space: string): Promise<void> {
    this.space.value = space;
    this.#api = this.#apiOf(space);
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    this.connection.value = 'connecting';
    this.journal.value = [];
    let pause = firstPause;
    while (!following.signal.aborted) {
      const wasLive = await this.#follow(following.signal);
      if (following.signal.aborted || this.#isLocked) return;
      this.connection.value = 'lost';
      pause = wasLive ? firstPause : Math.min(pause * 2, maxPause);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  get #isLocked(): boolean {
    return this.connection.value === 'locked';
  }

  /** Uses an admin token from now on, and keeps it until the tab is closed. */
  async unlock(token: string): Promise<void> {
    this.#token = token;
    sessionStorage.setItem(tokenKey, token);
    await this.show(this.space.value);
  }

  /**
   * Runs a control, and announces its result.
   *
   * @param done what to announce; empty to announce nothing
   * @returns whether it succeeded; if not, the page shows why
   */
  async control(done: string, action: (api: AdminApi) => Promise<unknown>): Promise<boolean> {
    try {
      await action(this.#api);
      if (done !== '') {
        this.problem.value = '';
        this.workspace.announcement.value = done;
      }
      return true;
    } catch (error) {
      if (!(error instanceof AdminApiError)) throw error;
      this.problem.value = error.message;
      return false;
    }
  }

  changeClock(change: ClockChange): Promise<boolean> {
    return this.control('The clock was changed.', async (api) => {
      this.clock.value = (await api.send('POST', '/clock', change)) as ClockView;
    });
  }

  async createSpace(name: string): Promise<void> {
    const root = this.#apiOf('');
    await this.control(`The space ${name} was created.`, () => root.send('POST', '/spaces', { name }));
    await this.readSpaces();
  }

  async deleteSpace(name: string): Promise<void> {
    const root = this.#apiOf('');
    const path = `/spaces/${encodeURIComponent(name)}`;
    await this.control(`The space ${name} was deleted.`, () => root.send('DELETE', path));
    await this.readSpaces();
  }

  /** Returns a request with its bodies. */
  readEntry(id: string): Promise<JournalEntry> {
    return this.#api.get(`/requests/${encodeURIComponent(id)}`);
  }

  readState(): Promise<StateDump> {
    return this.#api.get('/state');
  }

  async readSpaces(): Promise<void> {
    await this.control('', async () => {
      this.spaces.value = await this.#apiOf('').get('/spaces');
    });
  }

  async readSnapshots(): Promise<void> {
    await this.control('', async (api) => {
      this.snapshots.value = await api.get('/snapshots');
    });
  }

  /** Shows the records of the chosen organization, and changes them with the chosen credential. */
  async connectWorkspace(): Promise<void> {
    const organization = this.organizationId.value;
    if (organization === '') return;
    const shared = { organization, allowPlainHttp: true, retry: { limit: 0 } };
    const path = `/__admin/organizations/${encodeURIComponent(organization)}`;
    await this.workspace.connect({
      reader: new Worktrack({ ...shared, baseUrl: this.baseUrl + path, token: this.#token || 'none' }),
      // Without a credential, the API's own error says so.
      writer: new Worktrack({
        ...shared,
        baseUrl: this.baseUrl,
        token: () => this.credential.value?.token ?? 'none',
      }),
    });
  }

  /** Reads organizations and credentials. If the chosen ones no longer exist, the first ones are chosen. */
  async #readCredentials(): Promise<void> {
    const [organizations, credentials] = await Promise.all([
      this.#api.get<Organization[]>('/organizations'),
      this.#api.get<CredentialView[]>('/credentials'),
    ]);
    this.organizations.value = organizations;
    this.credentials.value = credentials;
    if (!organizations.some(({ id }) => id === this.organizationId.value)) {
      this.organizationId.value = organizations[0]?.id ?? '';
    }
    const usable = credentials.filter((other) => other.organization_id === this.organizationId.value);
    if (!usable.some(({ id }) => id === this.credentialId.value))
      this.credentialId.value = usable[0]?.id ?? '';
  }

  #apiOf(space: string): AdminApi {
    const url = space === '' ? this.serverUrl : `${this.serverUrl}/spaces/${encodeURIComponent(space)}`;
    return new AdminApi(url, this.#token);
  }

  /**
   * Receives events until the connection ends.
   *
   * @returns whether any arrived
   */
  async #follow(signal: AbortSignal): Promise<boolean> {
    let received = false;
    try {
      for await (const event of readEvents(this.#api, signal)) {
        if (signal.aborted) break;
        received = true;
        await this.#receive(event);
      }
    } catch (error) {
      if (!(error instanceof AdminApiError)) throw error;
      if (!signal.aborted) this.#showRejection(error);
    }
    return received;
  }

  #showRejection({ status, message }: AdminApiError): void {
    if (status === 401) this.connection.value = 'locked';
    else if (status !== 0) this.problem.value = message;
    // Somebody has deleted the space.
    if (status === 404 && this.space.value !== '') void this.show('');
  }

  async #receive({ name, data }: ServerEvent): Promise<void> {
    if (name === 'ready') await this.#start();
    else if (name === 'request') this.#addEntry(data as JournalEntry);
    else if (name === 'cleared') this.journal.value = [];
    else if (name === 'dropped') await this.#readJournal();
    else if (name === 'state') this.#refreshSoon();
    else if (name === 'clock') this.clock.value = data as ClockView;
    else if (name === 'faults') this.#showFaults(data as FaultsView);
  }

  /** Reads everything that events don't repeat, after each connection. */
  async #start(): Promise<void> {
    const [clock, faults, rateLimit] = await Promise.all([
      this.#api.get<ClockView>('/clock'),
      this.#api.get<ActiveFault[]>('/faults'),
      this.#api.get<RateLimitView>('/rate-limit'),
      this.#readJournal(),
      this.#readCredentials(),
      this.readSpaces(),
      this.readSnapshots(),
    ]);
    this.clock.value = clock;
    this.#showFaults({ faults, rateLimit });
    await this.connectWorkspace();
    this.problem.value = '';
    this.connection.value = 'live';
  }

  async #readJournal(): Promise<void> {
    const entries = await this.#api.get<JournalEntry[]>(`/requests?limit=${journalLimit}`);
    this.journal.value = entries.reverse();
  }

  #addEntry(entry: JournalEntry): void {
    const others = this.journal.value.filter(({ id }) => id !== entry.id);
    this.journal.value = [entry, ...others].slice(0, journalLimit);
    // How often a fault has applied isn't an event of its own.
    if (entry.fault !== undefined) void this.#readFaults();
  }

  async #readFaults(): Promise<void> {
    await this.control('', async (api) => {
      this.faults.value = await api.get('/faults');
    });
  }

  #showFaults({ faults, rateLimit }: FaultsView): void {
    this.faults.value = faults;
    this.rateLimit.value = rateLimit;
  }

  /** Reads the records again after a moment. Changes that arrive meanwhile lead to one more read. */
  #refreshSoon(): void {
    this.#isOutdated = true;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
  }

  async #refresh(): Promise<void> {
    while (this.#isOutdated) {
      await new Promise((resolve) => setTimeout(resolve, refreshDelay));
      this.#isOutdated = false;
      const before = this.organizationId.value;
      if (!(await this.control('', () => this.#readCredentials()))) return;
      if (this.organizationId.value === before) await this.workspace.refresh();
      else await this.connectWorkspace();
    }
  }
}
