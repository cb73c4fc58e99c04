import type { Queue } from 'bullmq';
import { toJsonb } from '../../bullmq/jsonb.js';
import { openTable } from '../../bullmq/postgres-table.js';
import { LedgerError } from '../ledger.js';
import { digest, type RowJob } from './row-job.js';
import { decodeHolder, encodeHolder, type Store, writeResult } from './store.js';

/** Opens a queue's Postgres store. Creates its table and function in BullMQ's schema if they're missing. */
export async function openPostgresStore(queue: Queue): Promise<Store> {
  const { name } = queue;
  const query = await openTable(queue, table, LedgerError);
  const set = (kind: Kind, id: string, value: string, onConflict: string, more: unknown[] = []) =>
    query<{ value: string }>(
      `INSERT INTO worktrack_import (queue, kind, id, value) VALUES ($1, $2, $3, $4)
       ON CONFLICT (queue, kind, id) ${onConflict}`,
      [name, kind, id, value, ...more],
    );
  const get = async (kind: Kind, id: string) => {
    const text = 'SELECT value FROM worktrack_import WHERE queue = $1 AND kind = $2 AND id = $3';
    const [row] = await query<{ value: string }>(text, [name, kind, id]);
    return row?.value;
  };

  return {
    async write({ jobId, key, data, lock, enters, leaves, doubtIn, resolvedIn, ...change }) {
      const before = change.before && toJsonb(change.before);
      const groups = [enters, leaves, doubtIn, resolvedIn].map((group) =>
        group === undefined ? undefined : digest(group),
      );
      const [row] = await query<{ result: string }>(
        `SELECT ${writeFunction}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS result`,
        [
          ...[name, jobId, key, toJsonb(data), lock?.token, lock?.duration, Date.now(), before],
          ...[change.isStart ?? false, change.recordId, ...groups],
        ],
      );
      return writeResult(row?.result ?? '');
    },
    async find(jobIds) {
      const text = 'SELECT id, data FROM job WHERE queue = $1 AND id = ANY($2)';
      const rows = await query<{ id: string; data: RowJob<unknown> }>(text, [name, jobIds]);
      return new Map(rows.map(({ id, data }) => [id, data]));
    },
    async lock(group, holder, from) {
      const id = digest(group);
      // Try again if another worker releases the lock between the two statements.
      for (;;) {
        const [row] = await set(
          'group',
          id,
          encodeHolder(holder),
          `DO UPDATE SET value = excluded.value
           WHERE worktrack_import.value = $5
           OR substr(worktrack_import.value, strpos(worktrack_import.value, ' ') + 1) = $6
           RETURNING value`,
          [from && encodeHolder(from), holder.key],
        );
        const current = row?.value ?? (await get('group', id));
        if (current !== undefined) return decodeHolder(current);
      }
    },
    async unlock(group, holder) {
      await query(
        `DELETE FROM worktrack_import WHERE queue = $1 AND kind = 'group' AND id = $2 AND value = $3`,
        [name, digest(group), encodeHolder(holder)],
      );
    },
    claimant: (recordId) => get('claim', recordId),
    async inDoubt(group) {
      const text = 'SELECT value FROM worktrack_import WHERE queue = $1 AND kind = $2 ORDER BY value';
      const rows = await query<{ value: string }>(text, [name, `doubt:${digest(group)}`]);
      return rows.map(({ value }) => value);
    },
    async putIfAbsent(id, value) {
      await set('value', id, value, 'DO NOTHING');
      return (await get('value', id)) ?? value;
    },
    async put(id, value, expiresIn) {
      await query(
        `INSERT INTO worktrack_import (queue, kind, id, value)
         VALUES ($1, 'value', $2, ${now} + $3::numeric || ' ' || $4)
         ON CONFLICT (queue, kind, id) DO UPDATE SET value = excluded.value`,
        [name, id, expiresIn, value],
      );
    },
    async get(id) {
      const [row] = await query<{ value: string }>(
        `SELECT substr(value, strpos(value, ' ') + 1) AS value FROM worktrack_import
         WHERE queue = $1 AND kind = 'value' AND id = $2 AND split_part(value, ' ', 1)::numeric > ${now}`,
        [name, id],
      );
      return row?.value;
    },
    async pause(milliseconds) {
      await query(
        `INSERT INTO worktrack_import AS stored (queue, kind, id, value)
         VALUES ($1, 'value', 'paused_until', ${now} + $2::numeric)
         ON CONFLICT (queue, kind, id)
         DO UPDATE SET value = greatest(stored.value::numeric, excluded.value::numeric)`,
        [name, milliseconds],
      );
    },
    async reserve(interval) {
      const [row] = await query<{ wait: string }>(
        `INSERT INTO worktrack_import AS stored (queue, kind, id, value)
         VALUES ($1, 'value', 'next_request', ${now} + $2::numeric)
         ON CONFLICT (queue, kind, id)
         DO UPDATE SET value = greatest(stored.value::numeric, ${now}) + $2::numeric
         RETURNING ceil(value::numeric - $2::numeric - ${now}) AS wait`,
        [name, interval],
      );
      return Math.max(0, Number(row?.wait));
    },
    async deleteAll() {
      await query('DELETE FROM worktrack_import WHERE queue = $1', [name]);
    },
  };
}

/**
 * - `claim`: the key of the row that claimed a record, by record ID
 * - `group`: the holder of a group's lock, by the group's digest
 * - `doubt:…`: an in-doubt row's key, by job ID. The kind contains the group's digest.
 * - `value`: a named value
 */
type Kind = 'claim' | 'group' | `doubt:${string}` | 'value';

/** The current server time, in milliseconds since 1970. */
const now = '(extract(epoch FROM clock_timestamp()) * 1000)';

const writeBody = `(
  p_queue text, p_job text, p_key text, p_data jsonb, p_token text, p_duration bigint, p_now bigint,
  p_before jsonb, p_is_start boolean, p_record text, p_enters text, p_leaves text, p_doubt text, p_resolved text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_state job_state;
  v_data jsonb;
  v_token text;
  v_wait numeric;
BEGIN
  -- Locking the job before other rows prevents deadlocks.
  SELECT state, data, lock_token INTO v_state, v_data, v_token FROM job WHERE queue = p_queue AND id = p_job FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 'missing';
  END IF;
  IF p_before IS NOT NULL AND v_state = 'active' THEN
    RETURN 'active';
  END IF;
  IF v_data <> p_before THEN
    RETURN 'changed';
  END IF;
  IF p_token IS NOT NULL AND (v_state <> 'active' OR v_token IS DISTINCT FROM p_token) THEN
    RETURN 'lost';
  END IF;
  IF p_is_start THEN
    SELECT ceil(value::numeric - ${now}) INTO v_wait FROM worktrack_import
     WHERE queue = p_queue AND kind = 'value' AND id = 'paused_until';
    IF v_wait > 0 THEN
      RETURN 'paused:' || v_wait;
    END IF;
  END IF;
  IF p_enters IS NOT NULL THEN
    INSERT INTO worktrack_import (queue, kind, id, value)
    VALUES (p_queue, 'group', p_enters, p_token || ' ' || p_key)
    ON CONFLICT (queue, kind, id) DO UPDATE SET value = excluded.value
     WHERE substr(worktrack_import.value, strpos(worktrack_import.value, ' ') + 1) = p_key;
    IF NOT FOUND THEN
      RETURN 'busy';
    END IF;
  END IF;
  IF p_record IS NOT NULL THEN
    INSERT INTO worktrack_import (queue, kind, id, value) VALUES (p_queue, 'claim', p_record, p_key)
    ON CONFLICT (queue, kind, id) DO UPDATE SET value = p_key WHERE worktrack_import.value = p_key;
    IF NOT FOUND THEN
      RETURN 'claimed';
    END IF;
  END IF;
  UPDATE job SET data = p_data, locked_until_ms = coalesce(p_now + p_duration, locked_until_ms)
   WHERE queue = p_queue AND id = p_job;
  IF p_doubt IS NOT NULL THEN
    INSERT INTO worktrack_import (queue, kind, id, value) VALUES (p_queue, 'doubt:' || p_doubt, p_job, p_key)
    ON CONFLICT (queue, kind, id) DO NOTHING;
  END IF;
  IF p_resolved IS NOT NULL THEN
    DELETE FROM worktrack_import WHERE queue = p_queue AND kind = 'doubt:' || p_resolved AND id = p_job;
  END IF;
  IF p_leaves IS NOT NULL THEN
    DELETE FROM worktrack_import
     WHERE queue = p_queue AND kind = 'group' AND id = p_leaves
       AND substr(value, strpos(value, ' ') + 1) = p_key;
  END IF;
  RETURN 'written';
END;
$$;
`;

/**
 * The name contains a digest of the function's body, because workers with different versions can share a
 * schema.
 */
const writeFunction = `worktrack_import_${digest(writeBody).slice(0, 8)}`;

const table = {
  name: 'worktrack_import',
  key: ['queue', 'kind', 'id'],
  lock: 'worktrack:import',
  existing: `to_regproc('${writeFunction}')`,
  create: `
CREATE TABLE IF NOT EXISTS worktrack_import (
  queue text NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (queue, kind, id)
);
CREATE OR REPLACE FUNCTION ${writeFunction} ${writeBody}`,
};
