import { Database as Engine } from 'bun:sqlite'

/**
 * The ceiling: a bare `Bun.serve` on `bun:sqlite` with cached statements, WAL and `synchronous=FULL`, doing the same work as
 * Reeve with none of ours: no key check, no permission, no control, no metering, no rate limit, no validation, no audit.
 *
 * Run as `bun ceiling.ts <database file>`; prints its address. `/write` commits a request, `/write-together` a turn of the
 * event loop.
 */
const [file] = process.argv.slice(2)
const engine = file === undefined ? null : new Engine(file)
engine?.run('PRAGMA journal_mode = WAL')
engine?.run('PRAGMA synchronous = FULL')
engine?.run('PRAGMA cache_size = -65536')

type Row = Record<string, unknown>
const time = (at: unknown): string | null => (typeof at === 'number' ? new Date(at).toISOString() : null)

const recordOf = (row: Row) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  caseNumber: String(row.case_number),
  action: row.action,
  userId: row.user_id,
  userUsername: row.user_username,
  reason: row.reason,
  severity: row.severity,
  status: 'active',
  evidence: JSON.parse(String(row.evidence)),
  comments: JSON.parse(String(row.comments)),
  durationSeconds: row.duration_seconds === null ? null : String(row.duration_seconds),
  expiresAt: time(row.expires_at),
  actorUserId: row.actor_id,
  actorUsername: row.actor_username,
  actorPlatformUserId: row.actor_platform_user_id,
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at),
  acknowledgedAt: time(row.acknowledged_at),
  revokedAt: time(row.revoked_at),
  revokedBy: row.revoked_by,
  revokeReason: row.revoke_reason,
  sequence: String(row.sequence),
  version: String(row.version),
})

const eventOf = (row: Row) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  title: row.title,
  description: row.description,
  scheduledFor: time(row.scheduled_for),
  published: row.published === 1 ? 'true' : 'false',
  eventType: row.event_type,
  imageUrl: row.image_url,
  image_url: row.image_url,
  trainingStart: time(row.training_start),
  trainingEnd: time(row.training_end),
  trainingHost: row.training_host,
  experienceId: row.experience_id,
  experienceName: row.experience_name,
  experiencePlaceId: row.experience_place_id,
  experienceThumbnailUrl: row.experience_thumbnail_url,
  experienceUrl: row.experience_url,
  status: 'scheduled',
  endsAt: time(row.ends_at),
  createdBy: row.created_by,
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at),
  version: String(row.version),
})

function handlersOn(db: Engine): Record<string, (url: URL) => Response | Promise<Response>> {
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

const handlers: ReturnType<typeof handlersOn> = engine ? handlersOn(engine) : {}
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const url = new URL(request.url)
    return handlers[url.pathname]?.(url) ?? new Response('ok')
  },
})
process.stdout.write(`${server.url}\n`)
