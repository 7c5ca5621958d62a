import { Database as Engine } from 'bun:sqlite'
import { eventOf, type Handlers, type Row, recordOf } from './answers.ts'

/**
 * On `bun:sqlite` with cached statements, WAL and `synchronous=FULL`. `/write` commits a request, `/write-together` a turn of
 * the event loop.
 */
export function onSqlite(file: string): Handlers {
  const db = new Engine(file)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA cache_size = -65536')
  const now = () => Date.now()
  const one = db.prepare<Row, [string, string, number]>(
    "select * from record where workspace_id = ? and action = 'ban' and in_force = 1 and user_id = ? and (expires_at is null or expires_at > ?)",
  )
  const many = db.prepare<Row, [string, string, number]>(
    "select * from record where workspace_id = ? and action = 'ban' and in_force = 1 and user_id in (select value from json_each(?)) and (expires_at is null or expires_at > ?) order by case_number desc",
  )
  const events = db.prepare<Row, [string, number]>(
    'select * from event where workspace_id = ? and scheduled_for >= ? and published = 1 order by scheduled_for, id limit 21',
  )
  const insert = db.prepare(
    "insert into record (workspace_id, id, case_number, action, user_id, reason, severity, evidence, comments, in_force, actor_kind, actor_id, created_at, updated_at, sequence, version) values (?, ?, ?, 'warn', ?, 'Spamming', 'low', '[]', '[]', 0, 'api_key', 'bench', ?, ?, 1, 1)",
  )
  let cases = 100_000_000
  const write = (url: URL) => {
    cases += 1
    const id = Bun.randomUUIDv7()
    insert.run(url.searchParams.get('workspaceId'), id, cases, url.searchParams.get('userId'), now(), now())
    return id
  }
  let waiting: { url: URL; answer: (id: string) => void }[] = []
  const drain = () => {
    const batch = waiting
    waiting = []
    db.run('BEGIN IMMEDIATE')
    const ids = batch.map(({ url }) => write(url))
    db.run('COMMIT')
    for (const [index, { answer }] of batch.entries()) answer(ids[index] as string)
  }
  return {
    '/one': (url) => {
      const { searchParams: asked } = url
      const rows = one.all(String(asked.get('workspaceId')), String(asked.get('userId')), now())
      return Response.json({ bans: rows.map(recordOf), nextCursor: null })
    },
    '/many': (url) => {
      const { searchParams: asked } = url
      const ids = JSON.stringify(String(asked.get('userId')).split(','))
      const rows = many.all(String(asked.get('workspaceId')), ids, now())
      return Response.json({ bans: rows.map(recordOf), nextCursor: null })
    },
    '/events': (url) => {
      const rows = events.all(String(url.searchParams.get('workspaceId')), now())
      return Response.json({ events: rows.slice(0, 20).map(eventOf), nextCursor: null })
    },
    '/write': (url) => Response.json({ record: { id: write(url) } }),
    '/write-together': async (url) => {
      const id = await new Promise<string>((answer) => {
        waiting.push({ url, answer })
        if (waiting.length === 1) setImmediate(drain)
      })
      return Response.json({ record: { id } })
    },
  }
}
