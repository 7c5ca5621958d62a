import { type Actor, requireFields } from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import { type Queries, statement } from '@reeve/db'
import { listLinksOfPlayers } from '../links/queries.ts'
import { listNames } from '../players/queries.ts'
import { type ArchiveSummary, presentArchives } from './model.ts'

interface Players {
  readonly workspaceId: string
  readonly userIds: readonly string[]
}

const recordTotals = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
    .select((eb) => [
      eb.fn.countAll<number>().as('records'),
      eb.fn.sum<number | null>('evidence_file_count').as('files'),
      eb.fn.min<number | null>('created_at').as('first_at'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const sanctionsInForce = statement<Players & { now: number }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select('action')
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where(dialect.inList('user_id', p.userIds))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)])),
)
const appealTotals = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const noteTotals = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom('pinned_note')
    .select((eb) => [
      eb.fn.countAll<number>().as('rows'),
      eb.fn.min<number | null>('created_at').as('first_at'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const memberLinks = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom('member_player')
    .select('linked_at')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const archivesSince = statement<{ workspaceId: string; since: number; until: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('archive')
      .select(['id', 'created_at', 'group_name'])
      .where('workspace_id', '=', p.workspaceId)
      .where('created_at', '>=', p.since)
      .where('created_at', '<=', p.until)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .limit(p.limit),
)

/** The most archives that are listed. */
const MAX_ARCHIVES = 200

/**
 * The archives that can contain a player.
 * @param since when the first row about the player was created; null if there was none
 * @param until when the player was erased, in epoch milliseconds
 */
export const listArchivesWith = async (
  db: Queries,
  workspaceId: string,
  since: number | null,
  until: number,
): Promise<readonly ArchiveSummary[]> =>
  since === null ? [] : db.all(archivesSince, { workspaceId, since, until, limit: MAX_ARCHIVES })

/** Counts what is stored about a player, and finds when the first of it was created. */
export async function countPlayerRows(
  db: Queries,
  workspaceId: string,
  userIds: readonly string[],
  now: number,
) {
  const players = { workspaceId, userIds }
  const totals = await db.first(recordTotals, players)
  const sanctions = await db.all(sanctionsInForce, { ...players, now })
  const notes = await db.first(noteTotals, players)
  const links = await listLinksOfPlayers(db, workspaceId, userIds)
  const members = await db.all(memberLinks, players)
  const names = await listNames(db, workspaceId, userIds)
  const times = [
    totals?.first_at,
    notes?.first_at,
    ...links.map(({ created_at }) => created_at),
    ...members.map(({ linked_at }) => linked_at),
  ].filter((time) => typeof time === 'number')
  return {
    records: Number(totals?.records ?? 0),
    evidenceFiles: Number(totals?.files ?? 0),
    bansInForce: sanctions.filter(({ action }) => action === 'ban').length,
    mutesInForce: sanctions.filter(({ action }) => action === 'mute').length,
    appeals: Number((await db.first(appealTotals, players))?.rows ?? 0),
    pinnedNotes: Number(notes?.rows ?? 0),
    links: links.length,
    members: members.length,
    names: [...new Set([...names.values()].flat().map(({ name }) => name))],
    firstAt: times.length === 0 ? null : Math.min(...times),
  }
}

/** What an erasure of a player would remove. */
export async function previewErasure(
  db: Queries,
  actor: Actor,
  input: { readonly userId?: string },
  now: number,
) {
  const { userId } = requireFields(input, 'userId')
  const { workspaceId } = actor
  const { names, firstAt, ...counts } = await countPlayerRows(
    db,
    workspaceId,
    listSanctionKeys([userId], actor).keys,
    now,
  )
  const texts = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]))
  return {
    preview: {
      userId,
      ...(texts as Record<keyof typeof counts, string>),
      names,
      archives: presentArchives(await listArchivesWith(db, workspaceId, firstAt, now)),
    },
  }
}
