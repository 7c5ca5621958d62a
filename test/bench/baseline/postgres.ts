import { Pool, type PoolClient, types } from 'pg'
import { idToBytes } from '../stored-ids.ts'
import { type Handlers, toEventResponse, toRecordResponse, toSanctionResponse } from './responses.ts'

/** As many connections as a Reeve process uses for requests. */
const CONNECTIONS = 12

/** Parses bigint as a number, as usual for stored milliseconds. */
const INT8 = 20
types.setTypeParser(INT8, Number)

const HASH = Buffer.alloc(32)
/** The actor of every request. */
const ACTOR = "'\\xff62656e6368'"
/** As long as the audit details of a warning. */
const CHANGES = JSON.stringify({ before: null, after: 'x'.repeat(700), salt: 'x'.repeat(16) })

/** The statements of a warning in Reeve, in order: case number, audit log, record, usage. */
const WRITE = {
  case: 'update workspace_head set case_number = case_number + 1 where workspace_id = $1 returning case_number',
  head: 'update workspace_head set audit_sequence = audit_sequence + 1 where workspace_id = $1 returning audit_sequence, audit_hash',
  audit: `insert into audit (workspace_id, sequence, id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id,
    changes, address, request_id, hash)
    values ($1, $2, $3, $4, 'api_key', ${ACTOR}, 'bench', 'moderation.warn', 'record', $7, $5, '127.0.0.1', $7, $6)`,
  seal: 'update workspace_head set audit_hash = $2 where workspace_id = $1',
  record: `insert into record (workspace_id, id, case_number, action, user_id, reason, severity, evidence, evidence_files, comments, in_force,
    actor_kind, actor_id, actor_username, created_at, updated_at, sequence, version, evidence_count, evidence_file_count, comment_count)
    values ($1, $2, $3, 'warn', $4, 'Spamming', 'low', '[]', '[]', '[]', 0, 'api_key', ${ACTOR}, 'bench', $5, $5, $6, 1, 0, 0, 0)`,
  usage: `insert into usage (workspace_id, hour, endpoint, actor_id, status_class, calls) values ($1, $2, 'bare', ${ACTOR}, 2, 1)
    on conflict (workspace_id, hour, endpoint, actor_id, status_class) do update set calls = usage.calls + excluded.calls`,
} as const

/** `pg` with prepared statements: `/write` runs the statements of Reeve's write in one transaction. */
export function createPostgresHandlers(connectionString: string): Handlers {
  const pool = new Pool({ connectionString, max: CONNECTIONS })
  const now = () => Date.now()

  const read = async (name: string, text: string, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows

  async function write(client: PoolClient, workspaceId: string, userId: string): Promise<string> {
    const runStatement = async (name: keyof typeof WRITE, ...values: unknown[]) =>
      (await client.query({ name, text: WRITE[name], values })).rows[0]
    const id = Bun.randomUUIDv7()
    const timestamp = now()
    await client.query('begin')
    const { case_number } = await runStatement('case', workspaceId)
    const { audit_sequence } = await runStatement('head', workspaceId)
    const target = idToBytes(id)
    await runStatement('audit', workspaceId, audit_sequence, id, timestamp, CHANGES, HASH, target)
    await runStatement('seal', workspaceId, HASH)
    await runStatement('record', workspaceId, id, case_number, userId, timestamp, audit_sequence)
    await runStatement('usage', workspaceId, timestamp - (timestamp % 3_600_000))
    await client.query('commit')
    return id
  }

  return {
    '/one': async ({ searchParams: params }) => {
      const rows = await read(
        'one',
        "select * from record where workspace_id = $1 and action = 'ban' and in_force = 1 and user_id = $2 and (expires_at is null or expires_at > $3)",
        [params.get('workspaceId'), params.get('userId'), now()],
      )
      return Response.json({ bans: rows.map(toRecordResponse), nextCursor: null })
    },
    '/many': async ({ searchParams: params }) => {
      const rows = await read(
        'many',
        "select * from record where workspace_id = $1 and action = 'ban' and in_force = 1 and user_id = any($2) and (expires_at is null or expires_at > $3) order by case_number desc",
        [params.get('workspaceId'), params.get('userId')?.split(','), now()],
      )
      return Response.json({ bans: rows.map(toRecordResponse), nextCursor: null })
    },
    '/check': async (_, request) => {
      const { workspaceId, userIds } = (await request.json()) as { workspaceId: string; userIds: string }
      const list = async (kind: 'ban' | 'mute') => {
        const rows = await read(
          'check',
          'select id, user_id, case_number, expires_at, reason, appeal_code from record where workspace_id = $1 and action = $2 and in_force = 1 and user_id = any($3)',
          [workspaceId, kind, userIds.split(',')],
        )
        return rows.map((row) => toSanctionResponse(kind, row))
      }
      const [bans, mutes] = await Promise.all([list('ban'), list('mute')])
      return Response.json({ bans, mutes })
    },
    '/events': async ({ searchParams: params }) => {
      const rows = await read(
        'events',
        'select * from event where workspace_id = $1 and scheduled_for >= $2 and published = 1 order by scheduled_for, id limit 21',
        [params.get('workspaceId'), now()],
      )
      return Response.json({ events: rows.slice(0, 20).map(toEventResponse), nextCursor: null })
    },
    '/write': async ({ searchParams: params }) => {
      const client = await pool.connect()
      try {
        const id = await write(client, String(params.get('workspaceId')), String(params.get('userId')))
        return Response.json({ record: { id } })
      } finally {
        client.release()
      }
    },
  }
}
