import {
  createTimeSlicer,
  type PlayerNameTable,
  type Queries,
  type RecordTable,
  sqlLiteral,
  statement,
  statementFamily,
} from '@reeve/db'

/** Queries for players. Each one uses an index, so that its cost does not depend on the number of records. */

/** Sorts after every character of a platform id; ids are ASCII. */
const AFTER_IDS = '~'

interface PrefixQuery {
  readonly workspaceId: string
  readonly prefix: string
  readonly limit: number
}

// Each query finds one match and is repeated from there, so that a player with many records costs one step.
const nextUserId = statementFamily<
  { workspaceId: string; from: string; end: string },
  { inclusive: boolean }
>()((sql, p, { inclusive }, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
    .select('user_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', inclusive ? '>=' : '>', p.from)
    .where('user_id', '<', p.end)
    .orderBy('user_id')
    .limit(1),
)
const namesOfPlayers = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('player_name')
    .select(['user_id', 'name', 'id'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.ids))
    .orderBy('id', 'desc'),
)
const recordCountsByPlayer = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('records')])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.ids))
    .groupBy('user_id'),
)
const activeSanctions = statement<{ workspaceId: string; ids: readonly string[]; now: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_in_force'))
      .select([
        'id',
        'action',
        'user_id',
        'case_number',
        'reason',
        'created_at',
        'occurred_at',
        'expires_at',
        'actor_username',
        'version',
      ])
      .where('workspace_id', '=', p.workspaceId)
      .where('action', 'in', [sqlLiteral('ban'), sqlLiteral('mute')])
      .where(dialect.inList('user_id', p.ids))
      .where((eb) => eb('in_force', '=', eb.lit(1)))
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)])),
)
const newestRecords = statement<{ workspaceId: string; userId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['user_username', 'created_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', '=', p.userId)
    .orderBy('case_number', 'desc')
    .limit(p.limit),
)

/** Returns player ids with a prefix, in order. @param query `after` is the last id of the previous page, or empty */
export async function listUserIdsByPrefix(
  db: Queries,
  query: PrefixQuery & { after: string },
): Promise<string[]> {
  const { workspaceId, prefix, limit } = query
  const end = prefix + AFTER_IDS
  const ids: string[] = []
  const yieldIfDue = createTimeSlicer()
  for (let after = query.after; ids.length < limit; after = ids.at(-1) ?? '') {
    const from = after || prefix
    const row = await db.first(nextUserId({ inclusive: after === '' }), { workspaceId, from, end })
    if (!row) break
    ids.push(row.user_id)
    await yieldIfDue()
  }
  return ids
}

/** Counts the records of each player. @returns counts by player id */
export async function countRecords(db: Queries, workspaceId: string, ids: readonly string[]) {
  const rows = await db.all(recordCountsByPlayer, { workspaceId, ids })
  return new Map(rows.map((row) => [row.user_id, Number(row.records)]))
}

/** A ban or mute as a summary of its player needs it. */
export type SanctionRow = Pick<
  RecordTable,
  | 'id'
  | 'action'
  | 'user_id'
  | 'case_number'
  | 'reason'
  | 'created_at'
  | 'occurred_at'
  | 'expires_at'
  | 'actor_username'
  | 'version'
>

/** Returns the bans and mutes of these players that are in force at `now`. */
export const listActiveSanctions = (
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
  now: number,
): Promise<SanctionRow[]> => db.all(activeSanctions, { workspaceId, ids, now })

/** Returns the player name and the creation time of a player's newest records. */
export const listNewestRecords = (db: Queries, workspaceId: string, userId: string, limit: number) =>
  db.all(newestRecords, { workspaceId, userId, limit })

/** The number of players whose names one statement reads, which limits how long it takes. */
const PLAYERS_PER_STATEMENT = 25

/** Returns the names of players, newest first. @returns names by player id */
export async function listNames(db: Queries, workspaceId: string, ids: readonly string[]) {
  const names = new Map<string, Omit<PlayerNameTable, 'workspace_id'>[]>()
  const yieldIfDue = createTimeSlicer()
  for (let start = 0; start < ids.length; start += PLAYERS_PER_STATEMENT) {
    const batch = ids.slice(start, start + PLAYERS_PER_STATEMENT)
    for (const row of await db.all(namesOfPlayers, { workspaceId, ids: batch })) {
      const list = names.get(row.user_id)
      if (list) list.push(row)
      else names.set(row.user_id, [row])
    }
    await yieldIfDue()
  }
  return names
}
