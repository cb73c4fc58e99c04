import { shallowRef } from 'vue';
import { Worktrack } from 'worktrack';
import { createMockServer, type World } from 'worktrack/mock-server';
import { Workspace } from '../../../addons/console/model/workspace.js';
import { type Exchange, recordingFetch } from '../live/exchange.js';
import { formatValue } from '../live/format-value.js';

/** The SDK call for an action on the board, with its request and response. */
interface HeroCall {
  code: string;
  exchange: Exchange;
}

/** The board on the home page, its mock server, and the last SDK call that sent a request. */
export class HeroSession {
  readonly workspace = new Workspace();
  readonly call = shallowRef<HeroCall>();

  async start(): Promise<void> {
    const mock = createMockServer({ world: heroWorld });
    let sent: Exchange | undefined;
    const show = ({ operation, urlTemplate }: { operation: string; urlTemplate: string }) => {
      if (sent) this.call.value = { code: callOf(operation, urlTemplate, sent), exchange: sent };
    };
    const options = mock.clientOptions();
    await this.workspace.connect({
      reader: new Worktrack({ ...options, fetch: mock.fetch }),
      writer: new Worktrack({
        ...options,
        fetch: recordingFetch(mock.fetch, (exchange) => {
          sent = exchange;
        }),
        hooks: { response: show, error: show },
      }),
    });
  }
}

/** Formats a request as the SDK call that sends it. */
function callOf(operation: string, urlTemplate: string, { target, requestBody }: Exchange): string {
  const path = target.replace(/^\/api\/v1|\?.*$/g, '').split('/');
  const ids = urlTemplate
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [`'${path[index]}'`] : []));
  const payload = requestBody ? [formatValue(JSON.parse(requestBody))] : [];
  return `await client.${operation}(${[...ids, ...payload].join(', ')});`;
}

const heroWorld: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      credentials: [{ token: 'wt_example', scopes: ['*'] }],
      projects: [
        {
          id: 'prj_apollo',
          name: 'Apollo',
          key: 'APO',
          boards: [
            {
              id: 'brd_todo',
              name: 'To do',
              tickets: [
                { id: 'tkt_radio', title: 'Radio check', priority: 'high' },
                { id: 'tkt_manual', title: 'Crew manual' },
              ],
            },
            {
              id: 'brd_doing',
              name: 'Doing',
              wip_limit: 1,
              tickets: [{ id: 'tkt_guidance', title: 'Guidance program', priority: 'critical' }],
            },
            {
              id: 'brd_done',
              name: 'Done',
              is_done: true,
              tickets: [{ id: 'tkt_suits', title: 'Space suits' }],
            },
          ],
        },
      ],
    },
  ],
};
