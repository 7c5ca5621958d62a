import { Database as Engine } from 'bun:sqlite'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey, hashToken } from '@reeve/auth'
import { OWNER_RANK, permissions } from '@reeve/core'
import { encodeWord, openDataFolder } from '@reeve/db'
import { createSeededId, seededRandom } from './seeded-random.ts'
import { idToBytes } from './stored-ids.ts'

export interface SeedSize {
  readonly workspaces: number
  /** Moderation records in all workspaces: active bans, each of another player. */
  readonly records: number
  /** Upcoming events per workspace. */
  readonly eventsEach: number
  /** Whether the ids of players have random gaps as those of a platform with billions of users. */
  readonly spreadsPlayers?: boolean
  /** The share of the bans that expire, in the year 2030; none by default. */
  readonly expiringShare?: number
}

export interface SeededData {
  /** The setting with which Reeve finds the data. */
  readonly settings: Readonly<Record<string, string>>
  /** Where the baseline finds the data: a file or a database URL. */
  readonly baselineLocation: string
  /** Lines of `workspaceId key` for the load generator. */
  readonly callers: string
  readonly playersEach: number
}

const SEED = 20_260_301
const START = Date.UTC(2026, 0, 1)
export const FIRST_PLAYER = 1_000_000
const EXPIRIES_START = Date.UTC(2030, 0, 1)
/** Between the ids of players that are spread: 1,000,000 of nine billion. */
const PLAYER_GAP = 9000
const PROGRESS_INTERVAL = 50_000

/** Fills a data folder with generated workspaces. The rows are inserted directly, in the same form as Reeve writes them. */
export async function seed(folder: string, size: SeedSize, log: (line: string) => void): Promise<SeededData> {
  const { database } = await openDataFolder(folder, { now: () => START })
  await database.close()
  const file = join(folder, 'reeve.db')
  const engine = new Engine(file)
  engine.run('PRAGMA journal_mode = WAL')
  engine.run('PRAGMA synchronous = OFF')
  engine.run('PRAGMA cache_size = -1048576')
  const random = seededRandom(SEED)
  const insert = prepareInserts(engine)
  const account = createSeededId(START, 1, 0)
  const callers: string[] = []
  const playersEach = Math.ceil(size.records / size.workspaces)

  // Creating indexes after the rows is much faster than updating them row by row.
  const indexes = engine
    .query<{ name: string; sql: string }, []>(
      "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in ('record', 'event')",
    )
    .all()
  for (const { name } of indexes) engine.run(`DROP INDEX "${name}"`)

  engine.run('BEGIN')
  insert.account.run(idToBytes(account))
  const workspaceIds = Array.from({ length: size.workspaces }, (_, index) => {
    const id = createSeededId(START, 2, index)
    const key = generateApiKey({
      randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256)),
    })
    insert.workspace.run(
      idToBytes(id),
      `Group ${index}`,
      idToBytes(account),
      idToBytes(account),
      START,
      START,
    )
    insert.head.run(idToBytes(id), playersEach)
    insert.key.run(
      idToBytes(id),
      idToBytes(createSeededId(START, 3, index)),
      Uint8Array.fromHex(hashToken(key)),
      JSON.stringify(permissions),
      OWNER_RANK,
      idToBytes(account),
      START,
    )
    for (let event = 0; event < size.eventsEach; event++) {
      const timestamp = Date.UTC(2040, 0, 1) + event * 3_600_000
      insert.event.run(
        idToBytes(id),
        idToBytes(createSeededId(START, 4, index * size.eventsEach + event)),
        `Event ${event}`,
        timestamp,
        timestamp + 3_600_000,
      )
    }
    callers.push(`${id} ${key}`)
    return id
  })
  const storedIds = workspaceIds.map(idToBytes)
  let recordCount = 0
  const toIdOffset = (player: number) =>
    size.spreadsPlayers ? player * PLAYER_GAP + Math.floor(random() * PLAYER_GAP) : player
  const { expiringShare = 0 } = size
  const pickExpiry = () =>
    expiringShare > 0 && random() < expiringShare
      ? EXPIRIES_START + Math.floor(random() * 365) * 86_400_000
      : null
  for (let player = 0; player < playersEach; player++) {
    for (const workspaceId of storedIds) {
      if (recordCount >= size.records) break
      const timestamp = START + recordCount
      insert.record.run(
        workspaceId,
        idToBytes(createSeededId(timestamp, 5, recordCount)),
        player + 1,
        String(FIRST_PLAYER + toIdOffset(player)),
        pickExpiry(),
        timestamp,
        timestamp,
        player + 1,
      )
      recordCount += 1
      if (recordCount % PROGRESS_INTERVAL === 0)
        log(`${recordCount.toLocaleString('en')} of ${size.records.toLocaleString('en')} records`)
    }
  }
  engine.run('COMMIT')
  for (const { name, sql } of indexes) {
    log(`index ${name}`)
    engine.run(sql)
  }
  engine.run('ANALYZE')
  engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  engine.close()
  const callersFile = join(folder, '..', 'callers.txt')
  writeFileSync(callersFile, `${callers.join('\n')}\n`)
  // A separate file: two processes that write to one file would wait for each other.
  const baselineLocation = join(folder, '..', 'ceiling.db')
  copyFileSync(file, baselineLocation)
  return { settings: { REEVE_DATA_DIR: folder }, baselineLocation, callers: callersFile, playersEach }
}

/** The actor of every request, as a literal. */
const ACTOR = `x'${idToBytes(createSeededId(START, 6, 0)).toHex()}'`

/** A word as it is stored, as a literal. */
const literal = (word: string): string => `'${encodeWord(word)}'`

const prepareInserts = (engine: Engine) => ({
  account: engine.prepare(
    "insert into account (id, username, username_key, username_skeleton, password_hash, is_operator, created_at, updated_at) values (?, 'bench', 'bench', 'bench', '', 0, 0, 0)",
  ),
  workspace: engine.prepare(
    "insert into workspace (id, group_name, group_key, owner_id, created_by, created_at, updated_at, version) values (?, ?, 'bench', ?, ?, ?, ?, 1)",
  ),
  head: engine.prepare(
    `insert into workspace_head (workspace_id, case_number, audit_sequence, history, feed_from, audit_hash, record_bytes, image_bytes, evidence_bytes, archive_bytes, response_bytes, storage_counted_at) values (?, ?, 0, 0, 0, x'${'0'.repeat(64)}', 0, 0, 0, 0, 0, ${Date.now()})`,
  ),
  key: engine.prepare(
    "insert into api_key (workspace_id, id, name, key_hash, hint, permissions, rank, created_by, created_at) values (?, ?, 'bench', ?, '0000', ?, ?, ?, ?)",
  ),
  event: engine.prepare(
    `insert into event (workspace_id, id, title, scheduled_for, ends_at, published, event_type, created_by, created_at, updated_at, version) values (?, ?, ?, ?, ?, 1, 'event', ${ACTOR}, 0, 0, 1)`,
  ),
  record: engine.prepare(
    `insert into record (workspace_id, id, case_number, action, user_id, expires_at, user_username, reason, severity, evidence, evidence_count, comments, comment_count, evidence_files, evidence_file_count, in_force, actor_kind, actor_id, actor_username, created_at, updated_at, sequence, version) values (?, ?, ?, 'ban', ?, ?, 'player', 'Exploiting in the tower', ${literal('high')}, '[]', 0, '[]', 0, '[]', 0, 1, ${literal('api_key')}, ${ACTOR}, 'bench', ?, ?, ?, 1)`,
  ),
})
