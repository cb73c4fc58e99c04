import { type Ref, ref, shallowRef } from 'vue';
import { Worktrack } from 'worktrack';
import { createMockServer, type FaultHandle, type MockServer, type World } from 'worktrack/mock-server';
import { type FaultPreset, faultPresets } from '../../../addons/console/model/fault-presets.js';
import { toWorld } from '../../../addons/console/model/to-world.js';
import { Workspace } from '../../../addons/console/model/workspace.js';
import { apolloWorld } from '../content/world.js';
import { type Exchange, recordingFetch } from '../live/exchange.js';
import { type ProgramListener, type RunningProgram, startProgram } from '../live/program.js';

const loggedExchanges = 60;

/** The playground's mock server and the workspace that shows its records. */
export class Playground {
  readonly workspace = new Workspace();
  /** The logged exchanges, newest first. */
  readonly exchanges = shallowRef<Exchange[]>([]);
  readonly faults: Ref<FaultPreset[]> = ref([]);
  /** Whether the user imported the data from a file. */
  readonly imported = ref(false);

  #mock: MockServer | undefined;
  /** Watches which records the program changes. */
  #records: ReturnType<MockServer['watchRecords']> | undefined;
  #hasChanges = false;
  #isShowing = false;
  readonly #handles = new Map<FaultPreset, FaultHandle>();

  /** @throws SeedError if the seed data is invalid */
  async start(world: World | string = apolloWorld): Promise<void> {
    const mock = createMockServer({ now: new Date(), world });
    const options = { ...mock.clientOptions(), retry: { limit: 2, maxDelay: 300 } };
    this.#records?.stop();
    this.#mock = mock;
    this.#records = mock.watchRecords();
    this.#forgetFaults();
    this.exchanges.value = [];
    this.imported.value = world !== apolloWorld;
    // Log only the requests from the user's actions and programs.
    await this.workspace.connect({
      reader: new Worktrack({ ...options, fetch: mock.fetch }),
      writer: new Worktrack({ ...options, fetch: recordingFetch(mock.fetch, this.#log) }),
    });
  }

  /** Starts a program whose clients are connected to this server. The board shows what it changes. */
  run(code: string, print: ProgramListener['print']): RunningProgram {
    const mock = this.#started;
    const report = (exchange: Exchange) => {
      this.#log(exchange);
      void this.#showChanges();
    };
    return startProgram(
      code,
      { mock, fetch: recordingFetch(mock.fetch, report) },
      { print, exchange: this.#log },
    );
  }

  async reset(): Promise<void> {
    this.#mock?.reset();
    this.#forgetFaults();
    const { workspace } = this;
    workspace.error.value = undefined;
    workspace.documentTags.value = '';
    await workspace.refresh();
    workspace.announcement.value = 'The data was reset.';
  }

  switchFault(name: FaultPreset, on: boolean): void {
    this.#handles.get(name)?.remove();
    this.#handles.delete(name);
    if (on && this.#mock) this.#handles.set(name, this.#mock.faults.add(faultPresets[name].fault));
    this.faults.value = [...this.#handles.keys()];
  }

  /** Returns the current data as seed data in JSON format. */
  exportWorld(): string {
    return JSON.stringify(toWorld(this.#started.export()), null, 2);
  }

  get #started(): MockServer {
    if (!this.#mock) throw new Error("the playground hasn't started yet");
    return this.#mock;
  }

  readonly #log = (exchange: Exchange): void => {
    this.exchanges.value = [exchange, ...this.exchanges.value].slice(0, loggedExchanges);
  };

  /** Reloads the records that have changed. If more requests arrive in the meantime, reloads once more. */
  async #showChanges(): Promise<void> {
    this.#hasChanges = true;
    if (this.#isShowing) return;
    this.#isShowing = true;
    while (this.#hasChanges) {
      this.#hasChanges = false;
      await this.workspace.refresh(this.#records?.take());
    }
    this.#isShowing = false;
  }

  #forgetFaults(): void {
    this.#handles.clear();
    this.faults.value = [];
  }
}
