import { type OperationId, operationOf } from '../../../src/contract/index.js';
import type { Page } from '../../../src/index.js';
import type { TicketConditions } from '../../shared/ticket-filter.js';
import { type ListPage, listReply, recordReply } from '../results/data-replies.js';
import type { Reply } from '../results/reply.js';
import type { Row } from '../results/table.js';
import { readChoice, readFields, readNumber } from './arguments.js';
import { defaultRows, responseShape } from './input-schema.js';
import { columnsOf, nounOf } from './operation-texts.js';
import { pick, request, withIds } from './request.js';
import { textFields } from './text-fields.js';
import { describeRead, newBudget, readConditions, readMatching } from './ticket-filters.js';
import { type Arguments, type ToolCall, toolNameOf } from './tool.js';

/** Performs an operation that reads a record or a page of a list. */
export async function read(id: OperationId, args: Arguments, call: ToolCall): Promise<Reply> {
  const { isList, fields: known } = responseShape(id);
  const fields = readFields(args, known);
  const perPage = readNumber(args, 'per_page', 1, 200) ?? defaultRows;
  const page = readNumber(args, 'page', 1) ?? 1;
  const conditions = id === 'tickets.list' ? readConditions(args) : undefined;
  const resolved = await withIds(id, args, call);
  if (!isList) {
    const record = (await request(id, resolved, call)) as Row;
    const isHtml = readChoice(args, 'format', ['markdown', 'html']) === 'html';
    const view = {
      fields,
      longText: textFields[id]?.html,
      isHtml,
      textOffset: readNumber(args, 'text_offset', 0),
    };
    return recordReply(`${toolNameOf(id)}:`, record, view);
  }
  const { columns, group } = columnsOf(id, fields, args);
  const range = { page, per_page: perPage };
  const list = conditions
    ? await readFilteredPage(resolved, conditions, range, call)
    : await readPage(id, { ...resolved, ...range }, call);
  return listReply(nounOf(id), list, columns, group);
}

/** Requests a page from the server. If the operation returns the entire list, selects the page locally. */
async function readPage(id: OperationId, args: Arguments & PageArguments, call: ToolCall): Promise<ListPage> {
  if (operationOf(id).paginated) {
    const { data, current_page, per_page, total, hasNext } = (await request(id, args, call)) as Page<Row>;
    return { rows: data, page: current_page, perPage: per_page, total, hasNext };
  }
  return pageOf((await request(id, args, call)) as Row[], args);
}

async function readFilteredPage(
  args: Arguments,
  conditions: TicketConditions,
  range: PageArguments,
  call: ToolCall,
): Promise<ListPage> {
  const query = pick(args, ['board_id', 'q']);
  const found = await readMatching(String(args.project), query, conditions, call, newBudget());
  return { ...pageOf(found.tickets as never, range), note: describeRead(found) };
}

/** Selects a page of a complete list. */
export function pageOf(all: readonly Row[], { page, per_page: perPage }: PageArguments): ListPage {
  const end = page * perPage;
  return { rows: all.slice(end - perPage, end), page, perPage, total: all.length, hasNext: end < all.length };
}

interface PageArguments {
  page: number;
  per_page: number;
}
