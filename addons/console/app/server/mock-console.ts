import { computed, ref, shallowRef, watch } from 'vue';
import { type Organization, Worktrack } from 'worktrack';
import type { CredentialView, StateDump } from 'worktrack/mock-server';
import { type FaultPreset, faultPresets } from '../../model/fault-presets.js';
import { type Changes, Workspace } from '../../model/workspace.js';
import { apiTargetOf } from '../snippets/snippets.js';
import {
  type ActiveFault,
  AdminApi,
  AdminApiError,
  type ClockView,
  type FaultsView,
  type JournalEntry,
  type RateLimitView,
  readEvents,
  type ServerEvent,
} from './admin-api.js';
import { Journal } from './journal.js';

/** The delay before reconnecting, in milliseconds. It doubles with each attempt, up to `maxPause`. */
const firstPause = 500;
const maxPause = 5000;

/** How long to collect changes before reloading records, in milliseconds. Increases if reloading is slow. */
const refreshDelay = 150;

/** How often to check whether tickets have become overdue, in milliseconds. */
const overdueInterval = 30_000;

const tokenKey = 'worktrack-admin-token';

/**
 * - `connecting`: no event has arrived yet
 * - `live`: the console is receiving events
 * - `lost`: the connection was lost, and the console is reconnecting
 * - `locked`: the server requires an admin token
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked';

/** A clock change. `advance` is in milliseconds. */
export type ClockChange = { set: string } | { advance: number } | { freeze: true } | { real: true };

/** The state of a running mock server and the actions that control it. */
export class MockConsole {
  /** The server's URL, without a trailing slash. */
  readonly serverUrl: string;
  readonly workspace = new Workspace();
  readonly connection = ref<Connection>('connecting');
  /** The space's name, or an empty string for the root space. */
  readonly space = ref('');
  readonly spaces = shallowRef<string[]>([]);
  readonly organizations = shallowRef<Organization[]>([]);
  readonly organizationId = ref('');
  readonly credentials = shallowRef<CredentialView[]>([]);
  /** The ID of the credential used for the user's actions. */
  readonly credentialId = ref('');
  readonly journal = new Journal();
  readonly clock = ref<ClockView>();
  readonly faults = shallowRef<ActiveFault[]>([]);
  readonly rateLimit = shallowRef<RateLimitView>(null);
  readonly snapshots = shallowRef<string[]>([]);
  /** The result of the last successful action. */
  readonly notice = ref('');
  /** The error message from the last failed action. */
  readonly problem = ref('');

  /** The credentials of the selected organization. */
  readonly usableCredentials = computed(() =>
    this.credentials.value.filter((other) => other.organization_id === this.organizationId.value),
  );
  readonly credential = computed(() =>
    this.credentials.value.find(({ id }) => id === this.credentialId.value),
  );

  #api: AdminApi;
  #token = sessionStorage.getItem(tokenKey) ?? '';
  #clockReadAt = Date.now();
  #following = new AbortController();
  #refreshing: Promise<void> | undefined;
  /** The server and organization that the workspace shows. */
  #connectedTo = '';
  /** What to reload: undefined if nothing has changed, and `everything` if any record may have changed. */
  #changes: Changes | 'everything' | undefined;

  constructor(serverUrl: string) {
    this.serverUrl = serverUrl;
    this.#api = this.#apiOf('');
    watch(this.clock, () => {
      this.#clockReadAt = Date.now();
      this.#showTime();
    });
    document.addEventListener('visibilitychange', () => {
      if (this.#changes) this.#refreshSoon();
    });
    setInterval(() => this.#showTime(), overdueInterval);
  }

  /** The space's URL, without a trailing slash. */
  get baseUrl(): string {
    return this.#api.baseUrl;
  }

  /**
   * Whether the user has entered an admin token. If the console is still locked, the server rejected the
   * token.
   */
  get hasToken(): boolean {
    return this.#token !== '';
  }

  /** Shows a space and receives its events until another space is shown. */
  async show(space: string): Promise<void> {
    this.space.value = space;
    this.#api = this.#apiOf(space);
    this.#following.abort();
    const following = new AbortController();
    this.#following = following;
    this.connection.value = 'connecting';
    this.journal.clear();
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

  /** Sets the admin token and stores it until the tab is closed. */
  async unlock(token: string): Promise<void> {
    this.#token = token;
    sessionStorage.setItem(tokenKey, token);
    await this.show(this.space.value);
  }

  /**
   * Runs an action and announces its result.
   *
   * @param done the announcement, or an empty string to announce nothing
   * @returns whether the action succeeded. If it fails, the console shows the error.
   */
  async control(done: string, action: (api: AdminApi) => Promise<unknown>): Promise<boolean> {
    // Remove the last message so that the next one is announced even if it has the same text.
    if (done !== '') this.notice.value = '';
    try {
      await action(this.#api);
      if (done !== '') {
        this.problem.value = '';
        this.notice.value = done;
      }
      return true;
    } catch (error) {
      if (!(error instanceof AdminApiError)) throw error;
      this.problem.value = error.message;
      return false;
    }
  }

  /** Sends one request to an admin route and announces its result. */
  send(done: string, ...request: Parameters<AdminApi['send']>): Promise<boolean> {
    return this.control(done, (api) => api.send(...request));
  }

  addPreset(name: FaultPreset): Promise<boolean> {
    const { label, fault } = faultPresets[name];
    return this.send(`Fault added: ${label}.`, 'POST', '/faults', fault);
  }

  removeFaults(): Promise<boolean> {
    return this.send('All faults were removed.', 'DELETE', '/faults');
  }

  clearJournal(): Promise<boolean> {
    return this.send('The journal was cleared.', 'DELETE', '/requests');
  }

  async takeSnapshot(): Promise<void> {
    await this.send('A snapshot was taken.', 'POST', '/snapshots');
    await this.readSnapshots();
  }

  changeClock(change: ClockChange): Promise<boolean> {
    return this.control('The clock was changed.', async (api) => {
      this.clock.value = (await api.send('POST', '/clock', change)) as ClockView;
    });
  }

  async createSpace(name: string): Promise<boolean> {
    const root = this.#apiOf('');
    const done = `Space ${name} was created.`;
    const isCreated = await this.control(done, () => root.send('POST', '/spaces', { name }));
    await this.readSpaces();
    return isCreated;
  }

  async deleteSpace(name: string): Promise<void> {
    const root = this.#apiOf('');
    const path = `/spaces/${encodeURIComponent(name)}`;
    await this.control(`Space ${name} was deleted.`, () => root.send('DELETE', path));
    await this.readSpaces();
  }

  /** Reads a journal entry, including the request and response bodies. */
  readEntry(id: string): Promise<JournalEntry> {
    return this.#api.get(`/requests/${encodeURIComponent(id)}`);
  }

  /**
   * Sends a recorded request again, with its credential's current token or with the user's credential.
   *
   * @returns the new request's ID
   */
  async replay(entry: JournalEntry): Promise<string | undefined> {
    const credential =
      this.credentials.value.find(({ name }) => name === entry.credential) ?? this.credential.value;
    const { method, body } = entry;
    let id: string | undefined;
    this.notice.value = '';
    try {
      const response = await fetch(this.baseUrl + apiTargetOf(entry), {
        method,
        headers: {
          authorization: `Bearer ${credential?.token ?? 'none'}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      id = response.headers.get('x-request-id') ?? undefined;
      this.notice.value = `Replayed the request: status ${response.status}.`;
    } catch {
      this.notice.value = 'Replayed the request: no response.';
    }
    return id;
  }

  readState(): Promise<StateDump> {
    return this.#api.get('/state');
  }

  readSpaces(): Promise<boolean> {
    return this.#read('/spaces', this.spaces, this.#apiOf(''));
  }

  readSnapshots(): Promise<boolean> {
    return this.#read('/snapshots', this.snapshots);
  }

  #read<Data>(path: string, target: { value: Data }, api = this.#api): Promise<boolean> {
    return this.control('', async () => {
      target.value = await api.get(path);
    });
  }

  /** Shows an organization, and a project in it if its ID is known. */
  async openOrganization(id: string, projectId = ''): Promise<void> {
    this.organizationId.value = id;
    this.workspace.projectId.value = projectId;
    this.#selectCredential();
    await this.connectWorkspace();
  }

  /**
   * Connects the workspace to the selected organization, using the selected credential for the user's
   * actions. If it's already connected to it, reloads the records instead, so that open dialogs stay open.
   */
  async connectWorkspace(): Promise<void> {
    const organization = this.organizationId.value;
    const target = JSON.stringify([this.baseUrl, organization, this.#token]);
    const isConnected = target === this.#connectedTo;
    this.#connectedTo = target;
    if (organization === '') return this.workspace.disconnect();
    if (isConnected) {
      this.workspace.error.value = undefined;
      return this.workspace.refresh();
    }
    const shared = { organization, allowPlainHttp: true, retry: { limit: 0 } };
    const path = `/__admin/organizations/${encodeURIComponent(organization)}`;
    await this.workspace.connect({
      reader: new Worktrack({
        ...shared,
        baseUrl: this.baseUrl + path,
        token: this.#token || 'no-admin-token',
      }),
      // Without a credential, requests fail with an API error that explains the problem.
      writer: new Worktrack({
        ...shared,
        baseUrl: this.baseUrl,
        token: () => this.credential.value?.token ?? 'no-credential',
      }),
      isLive: () => this.connection.value === 'live',
      comments: () =>
        this.readState().then(
          ({ comments }) => comments,
          () => undefined,
        ),
    });
  }

  /**
   * Loads organizations and credentials. If the selected organization or credential no longer exists, selects
   * the first one instead.
   */
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
    this.#selectCredential();
  }

  #selectCredential(): void {
    const usable = this.usableCredentials.value;
    if (!usable.some(({ id }) => id === this.credentialId.value))
      this.credentialId.value = usable[0]?.id ?? '';
  }

  #apiOf(space: string): AdminApi {
    const url = space === '' ? this.serverUrl : `${this.serverUrl}/spaces/${encodeURIComponent(space)}`;
    return new AdminApi(url, this.#token);
  }

  /**
   * Receives events until the connection closes.
   *
   * @returns whether any events arrived
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
    // The space that was open has been deleted, so show the root space.
    if (status === 404 && this.space.value !== '') void this.show('');
  }

  async #receive({ name, data }: ServerEvent): Promise<void> {
    if (name === 'ready') await this.#start();
    else if (name === 'request') {
      // Reload the faults, because events don't include how many times a fault has been applied.
      this.journal.add(data as JournalEntry, () => void this.#read('/faults', this.faults));
    } else if (name === 'cleared') this.journal.clear();
    else if (name === 'dropped') {
      // The dropped events may have contained any kind of change.
      this.#noteChanges(undefined);
      await this.journal.read(this.#api);
    } else if (name === 'state') this.#noteChanges((data as { changed?: Changes }).changed);
    else if (name === 'clock') {
      this.clock.value = data as ClockView;
      this.#noteChanges({ kinds: ['clock'], boards: [] });
    } else if (name === 'faults') this.#showFaults(data as FaultsView);
  }

  /** Loads everything after connecting, because events contain only changes. */
  async #start(): Promise<void> {
    const [clock, faults, rateLimit] = await Promise.all([
      this.#api.get<ClockView>('/clock'),
      this.#api.get<ActiveFault[]>('/faults'),
      this.#api.get<RateLimitView>('/rate-limit'),
      this.journal.read(this.#api),
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

  /** Loads older requests. */
  showMoreRequests(): Promise<boolean> {
    return this.control('', (api) => this.journal.readMore(api));
  }

  #showFaults({ faults, rateLimit }: FaultsView): void {
    this.faults.value = faults;
    this.rateLimit.value = rateLimit;
  }

  #showTime(): void {
    const { clock, workspace } = this;
    workspace.now.value = clock.value ? timeAt(clock.value, this.#clockReadAt) : Date.now();
  }

  #noteChanges(changes: Changes | undefined): void {
    const noted = this.#changes;
    if (!changes || noted === 'everything') this.#changes = 'everything';
    else {
      this.#changes = {
        kinds: [...new Set([...(noted?.kinds ?? []), ...changes.kinds])],
        boards: [...new Set([...(noted?.boards ?? []), ...changes.boards])],
      };
    }
    this.#refreshSoon();
  }

  /**
   * Reloads changed records after a short delay. If more records change during a reload, reloads them
   * afterward. If the tab is hidden, waits until it becomes visible.
   */
  #refreshSoon(): void {
    if (document.hidden) return;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
  }

  async #refresh(): Promise<void> {
    let pause = refreshDelay;
    while (this.#changes && !document.hidden) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const changes = this.#changes;
      this.#changes = undefined;
      const start = performance.now();
      if (!(await this.#reload(changes))) return;
      pause = Math.max(refreshDelay, 2 * (performance.now() - start));
    }
  }

  /** @returns whether the server responded */
  async #reload(changes: Changes | 'everything'): Promise<boolean> {
    const has = (...kinds: string[]) =>
      changes === 'everything' || kinds.some((kind) => changes.kinds.includes(kind));
    const before = this.organizationId.value;
    if (has('organizations', 'credentials') && !(await this.control('', () => this.#readCredentials()))) {
      return false;
    }
    if (this.organizationId.value !== before) await this.connectWorkspace();
    else await this.workspace.refresh(changes === 'everything' ? undefined : changes);
    return true;
  }
}

/** Returns a clock's current time in milliseconds. */
const timeAt = ({ now, frozen }: ClockView, readAt: number): number =>
  Date.parse(now) + (frozen ? 0 : Date.now() - readAt);
