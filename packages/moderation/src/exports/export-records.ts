import { appendAuditEntry } from '@reeve/audit'
import { type Actor, listPlayerKeys, type Ports, wire } from '@reeve/core'
import { applyVersion, type Database, type Queries, type RecordTable, statement } from '@reeve/db'
import { type NextAppeal, selectNextAppeal } from '../appeals/next-appeal.ts'
import { presentRecord } from '../records/model.ts'
import type { ListQuery } from '../records/parse-request.ts'
import { findRecordPage } from '../records/read.ts'
import { readVersionBatches } from '../records/versions.ts'

/** A record has up to 64 KiB of comments and evidence. */
const RECORDS_PER_PAGE = 20

interface Page {
  readonly workspaceId: string
  /** The case number after which to start. */
  readonly after: number
  readonly limit: number
}

const recordsAfterCase = statement<Page>()((sql, p) =>
  sql
    .selectFrom('record')
    .selectAll()
    .select((eb) => selectNextAppeal(eb, p.workspaceId))
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '>', p.after)
    .orderBy('case_number')
    .limit(p.limit),
)
const recordsOfPlayer = statement<Page & { userId: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .selectAll()
    .select((eb) => selectNextAppeal(eb, p.workspaceId))
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', '=', p.userId)
    .where('case_number', '>', p.after)
    .orderBy('case_number')
    .limit(p.limit),
)

const recordsByIds = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .selectAll()
    .select((eb) => selectNextAppeal(eb, p.workspaceId))
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)

type ExportedRow = RecordTable & NextAppeal

/** The earlier versions of a record in the form of the API, oldest first. */
async function readVersions(db: Queries, record: ExportedRow, now: number) {
  if (record.version === 1) return []
  const stored = []
  for await (const batch of readVersionBatches(db, { workspaceId: record.workspace_id, id: record.id }))
    stored.push(...batch)
  let next: RecordTable = record
  return stored
    .reverse()
    .map(({ version, snapshot, replaced_at, replaced_by }) => {
      next = applyVersion(next, version, JSON.parse(snapshot))
      return {
        ...presentRecord({ ...next, next_appeal: record.next_appeal }, now),
        replacedAt: wire.time.write(replaced_at),
        replacedBy: replaced_by,
      }
    })
    .reverse()
}

const formatLine = async (db: Queries, row: ExportedRow, now: number): Promise<string> =>
  JSON.stringify({ ...presentRecord(row, now), versions: await readVersions(db, row, now) })

async function* readPages(
  db: Queries,
  readPage: (after: number) => Promise<readonly ExportedRow[]>,
  now: number,
): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await readPage(after)
    for (const row of rows) {
      yield await formatLine(db, row, now)
      after = row.case_number
    }
    if (rows.length < RECORDS_PER_PAGE) return
  }
}

/**
 * The records of a workspace as JSON, one per line and complete: with comments, evidence and earlier versions, oldest first. One page is in memory
 * at a time.
 * @param player only this player's, in the form of `resolvePlayerId`; null for all
 */
export async function* exportRecords(
  db: Queries,
  ports: Pick<Ports, 'now'>,
  { workspaceId, platforms }: Pick<Actor, 'workspaceId' | 'platforms'>,
  player: string | null,
): AsyncGenerator<string> {
  const now = ports.now()
  const limit = RECORDS_PER_PAGE
  if (player === null) {
    yield* readPages(db, (after) => db.all(recordsAfterCase, { workspaceId, after, limit }), now)
    return
  }
  for (const userId of listPlayerKeys(player, platforms))
    yield* readPages(db, (after) => db.all(recordsOfPlayer, { workspaceId, userId, after, limit }), now)
}

/** The records of a list with filters, in the same form, newest first as the list has them. */
export async function* exportList(
  db: Queries,
  ports: Pick<Ports, 'now'>,
  actor: Actor,
  query: ListQuery,
): AsyncGenerator<string> {
  const now = ports.now()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { ...query, limit: RECORDS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
    const { records, nextCursor } = await findRecordPage(db, ports, actor, page)
    const ids = records.map(({ id }) => id)
    const rows = ids.length === 0 ? [] : await db.all(recordsByIds, { workspaceId: actor.workspaceId, ids })
    const rowById = new Map(rows.map((row) => [row.id, row]))
    for (const id of ids) {
      const row = rowById.get(id)
      if (row) yield await formatLine(db, row, now)
    }
    cursor = nextCursor
  }
}

/** Which records an export has. */
export type ExportExtent = 'all' | 'of a player' | 'of a list'

/** Records in the audit log that somebody has downloaded an export, not of which player: the log keeps that even if the player is redacted. */
export const recordExport = (
  db: Database,
  ports: Ports,
  actor: Actor,
  records: ExportExtent,
): Promise<number> =>
  db.write((tx) =>
    appendAuditEntry(tx, ports, actor, {
      action: 'exports.download',
      target: { kind: 'workspace', id: actor.workspaceId },
      after: { records },
    }),
  )
