import { Database as Engine } from 'bun:sqlite'
import { LEAN_INSERT } from '../lean-data.ts'
import { idToBytes } from '../stored-ids.ts'
import {
  type Handlers,
  type Row,
  toEventResponse,
  toRecordResponse,
  toSanctionResponse,
} from './responses.ts'

const workspaceId = (params: URLSearchParams) => idToBytes(String(params.get('workspaceId')))

/** A database file with WAL and `synchronous=FULL`, as Reeve uses it. */
function openDurable(file: string): Engine {
  const db = new Engine(file)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA cache_size = -65536')
  return db
}

/** Group commit: all writes of one turn of the event loop share a transaction. */
function createGroupCommit(db: Engine, write: (url: URL) => string) {
  let pendingWrites: { url: URL; resolve: (id: string) => void }[] = []
  const commitBatch = () => {
    const batch = pendingWrites
    pendingWrites = []
    db.run('BEGIN IMMEDIATE')
    const ids = batch.map(({ url }) => write(url))
    db.run('COMMIT')
    for (const [index, { resolve }] of batch.entries()) resolve(ids[index] as string)
  }
  return async (url: URL): Promise<Response> => {
    const id = await new Promise<string>((resolve) => {
      pendingWrites.push({ url, resolve })
      if (pendingWrites.length === 1) setImmediate(commitBatch)
    })
    return Response.json({ record: { id } })
  }
}

/** Inserts into the one table with one index of `createLeanData`. */
export function createLeanHandlers(file: string): Handlers {
  const db = openDurable(file)
  const insert = db.prepare(LEAN_INSERT)
  const write = ({ searchParams: params }: URL) => {
    const id = Bun.randomUUIDv7()
    insert.run(params.get('workspaceId'), id, params.get('userId'), Date.now())
    return id
  }
  return { '/lean': createGroupCommit(db, write) }
}

/**
 * `bun:sqlite` with cached statements. `/write` commits per request, `/write-together` once per turn of the event loop.
 */
export function createSqliteHandlers(file: string): Handlers {
  const db = openDurable(file)
  const now = () => Date.now()
  const selectOneBan = db.prepare<Row, [Uint8Array, string, number]>(
    "select * from record where workspace_id = ? and action = 'ban' and in_force = 1 and user_id = ? and (expires_at is null or expires_at > ?)",
  )
  const selectManyBans = db.prepare<Row, [Uint8Array, string, number]>(
    "select * from record where workspace_id = ? and action = 'ban' and in_force = 1 and user_id in (select value from json_each(?)) and (expires_at is null or expires_at > ?) order by case_number desc",
  )
  const selectSanctions = db.prepare<Row, [Uint8Array, string, string]>(
    'select id, user_id, case_number, expires_at, reason, appeal_code from record where workspace_id = ? and action = ? and in_force = 1 and user_id in (select value from json_each(?))',
  )
  const events = db.prepare<Row, [Uint8Array, number]>(
    'select * from event where workspace_id = ? and scheduled_for >= ? and published = 1 order by scheduled_for, id limit 21',
  )
  const insertRecord = db.prepare(
    "insert into record (workspace_id, id, case_number, action, user_id, reason, severity, evidence, evidence_count, evidence_files, evidence_file_count, comments, comment_count, in_force, actor_kind, actor_id, created_at, updated_at, sequence, version) values (?, ?, ?, 'warn', ?, 'Spamming', 'low', '[]', 0, '[]', 0, '[]', 0, 0, 'api_key', x'ff', ?, ?, 1, 1)",
  )
  let caseNumber = 100_000_000
  const write = (url: URL) => {
    caseNumber += 1
    const id = Bun.randomUUIDv7()
    insertRecord.run(
      workspaceId(url.searchParams),
      idToBytes(id),
      caseNumber,
      url.searchParams.get('userId'),
      now(),
      now(),
    )
    return id
  }
  return {
    '/one': (url) => {
      const { searchParams: params } = url
      const rows = selectOneBan.all(workspaceId(params), String(params.get('userId')), now())
      return Response.json({ bans: rows.map(toRecordResponse), nextCursor: null })
    },
    '/many': (url) => {
      const { searchParams: params } = url
      const ids = JSON.stringify(String(params.get('userId')).split(','))
      const rows = selectManyBans.all(workspaceId(params), ids, now())
      return Response.json({ bans: rows.map(toRecordResponse), nextCursor: null })
    },
    '/check': async (_, request) => {
      const body = (await request.json()) as { workspaceId: string; userIds: string }
      const [id, ids] = [idToBytes(body.workspaceId), JSON.stringify(body.userIds.split(','))]
      const list = (kind: 'ban' | 'mute') =>
        selectSanctions.all(id, kind, ids).map((row) => toSanctionResponse(kind, row))
      return Response.json({ bans: list('ban'), mutes: list('mute') })
    },
    '/events': (url) => {
      const rows = events.all(workspaceId(url.searchParams), now())
      return Response.json({ events: rows.slice(0, 20).map(toEventResponse), nextCursor: null })
    },
    '/write': (url) => Response.json({ record: { id: write(url) } }),
    '/write-together': createGroupCommit(db, write),
  }
}
