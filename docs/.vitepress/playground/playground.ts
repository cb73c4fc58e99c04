import { type Ref, ref, shallowRef } from 'vue';
import { Worktrack } from 'worktrack';
import type { FaultHandle, World } from 'worktrack/mock-server';
import { type FaultPreset, faultPresets } from '../../../console/model/fault-presets.js';
import { toWorld } from '../../../console/model/to-world.js';
import { Workspace } from '../../../console/model/workspace.js';
import { apolloWorld } from '../content/world.js';
import { type Exchange, recordingFetch } from '../live/exchange.js';
import { openPageServer, type PageServer } from '../live/page-server.js';

const loggedExchanges = 60;

/** The playground's mock server and the workspace that shows its records. */
export class Playground {
  readonly workspace = new Workspace();
  /** The logged exchanges, newest first. */
  readonly exchanges = shallowRef<Exchange[]>([]);
  readonly faults: Ref<FaultPreset[]> = ref([]);
  readonly intercepted = ref(true);
  /** Whether the user imported the data from a file. */
  readonly imported = ref(false);

  #server: PageServer | undefined;
  readonly #handles = new Map<FaultPreset, FaultHandle>();

  /** @throws SeedError if the seed data is invalid */
  async start(world: World | string = apolloWorld): Promise<void> {
    const server = await openPageServer({ now: new Date(), world });
    const client = new Worktrack({
      ...server.mock.clientOptions(),
      retry: { limit: 2, maxDelay: 300 },
      fetch: recordingFetch(server.fetch, (exchange) => {
        this.exchanges.value = [exchange, ...this.exchanges.value].slice(0, loggedExchanges);
      }),
    });
    this.#server = server;
    this.#forgetFaults();
    this.exchanges.value = [];
    this.intercepted.value = server.intercepted;
    this.imported.value = world !== apolloWorld;
    await this.workspace.connect({ reader: client, writer: client });
  }

  async reset(): Promise<void> {
    this.#server?.mock.reset();
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
    if (on && this.#server) this.#handles.set(name, this.#server.mock.faults.add(faultPresets[name].fault));
    this.faults.value = [...this.#handles.keys()];
  }

  /** Returns the current data as seed data in JSON format. */
  exportWorld(): string {
    if (!this.#server) throw new Error("the playground hasn't started yet");
    return JSON.stringify(toWorld(this.#server.mock.export()), null, 2);
  }

  #forgetFaults(): void {
    this.#handles.clear();
    this.faults.value = [];
  }
}
