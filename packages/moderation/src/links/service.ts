import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertNoProblems,
  assertNoVersion,
  assertSetsField,
  assertUsedFields,
  assertVersion,
  type ExpectedVersions,
  findUnusedFields,
  listPlayerKeys,
  MAX_ID,
  type Ports,
  paginate,
  parsePage,
  requireFields,
} from '@reeve/core'
import {
  insertAll,
  isSameRow,
  type PlayerLinkTable,
  type Queries,
  statement,
  type Transaction,
  updateAll,
} from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { assertUnderRowLimit } from '../row-limit.ts'
import { findOtherPlayer, type LinkInput, type LinksQueryInput, presentLink } from './model.ts'
import { compareNewestFirst, linkById, linksById, listLinksOfPlayers } from './queries.ts'

const insertLink = statement<PlayerLinkTable>()((sql, p) => insertAll(sql, 'player_link', p))
const updateLink = statement<PlayerLinkTable>()((sql, p) =>
  updateAll(sql, 'player_link', p, { key: ['workspace_id', 'id'], except: ['created_at'] }),
)
const deleteLink = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('player_link').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

/** Maximum number of links of a player: a ban check that asks for them reads them all. */
const MAX_LINKS_OF_PLAYER = 50

const LINKED_ALREADY = 'These two players are linked already. Change or delete that link.'

const LIST = 'player-links'

/** A page of links, newest first: those of a player, which are all on one page, or those of the workspace. */
export async function listLinks(db: Queries, { workspaceId, platforms }: Actor, query: LinksQueryInput) {
  const { userId } = query
  if (userId !== undefined) {
    assertNoProblems(findUnusedFields(query, PLAYER_FIELDS, 'is not used together with userId'))
    const keys = listPlayerKeys(userId, platforms)
    const rows = await listLinksOfPlayers(db, workspaceId, keys)
    return { links: rows.sort(compareNewestFirst).map((row) => presentLink(row, keys)), nextCursor: null }
  }
  const page = parsePage(LIST, query, ['string'])
  const before = String(page.after?.[0] ?? MAX_ID)
  const rows = await db.all(linksById, { workspaceId, before, limit: page.limit + 1 })
  const { rows: links, nextCursor } = paginate(
    rows,
    page,
    (row) => [row.id],
    (row) => presentLink(row),
  )
  return { links, nextCursor }
}

const PLAYER_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'userId'])
const SINGLE_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'id'])

/** One link. @throws AppError `not_found`, `invalid_request` if the query has a filter too */
export async function getLink(db: Queries, actor: Actor, query: LinksQueryInput & { id: string }) {
  assertNoProblems(findUnusedFields(query, SINGLE_FIELDS, 'cannot be given together with id'))
  return { link: presentLink(await requireLink(db, actor, query.id)) }
}

async function requireLink(db: Queries, { workspaceId }: Actor, id: string): Promise<PlayerLinkTable> {
  const row = await db.first(linkById, { workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

type LinkChange = LinkInput & { readonly ifMatch: ExpectedVersions }

/** Creates, changes or deletes a link. @throws AppError `invalid_request`, `not_found`, `version_mismatch`, `conflict` */
export function applyLinkAction(tx: Transaction, ports: Ports, actor: Actor, change: LinkChange) {
  const { action = 'create' } = change
  assertUsedFields(action, change, USED_FIELDS[action])
  if (action === 'create') return createLink(tx, ports, actor, change)
  return action === 'update' ? changeLink(tx, ports, actor, change) : removeLink(tx, ports, actor, change)
}

const USED_FIELDS: Readonly<Record<NonNullable<LinkInput['action']>, readonly (keyof LinkInput)[]>> = {
  create: ['userId', 'linkedUserId', 'confidence', 'reason'],
  update: ['id', 'confidence', 'reason'],
  delete: ['id'],
}

async function createLink(tx: Transaction, ports: Ports, actor: Actor, input: LinkChange) {
  assertNoVersion(input.ifMatch)
  const fields = requireFields(input, 'userId', 'linkedUserId', 'confidence', 'reason')
  const { userId, linkedUserId, confidence, reason } = fields
  const otherKeys = listPlayerKeys(linkedUserId, actor.platforms)
  if (otherKeys.includes(userId)) {
    assertNoProblems([{ field: 'linkedUserId', message: 'must be another player than userId' }])
  }
  for (const player of [userId, linkedUserId]) {
    const keys = listPlayerKeys(player, actor.platforms)
    const links = await listLinksOfPlayers(tx, actor.workspaceId, keys)
    // A link from before a change of the default platform has other forms of the ids.
    if (player === userId && links.some((row) => otherKeys.includes(findOtherPlayer(row, keys) ?? '')))
      throw new AppError('conflict', { message: LINKED_ALREADY })
    if (links.length >= MAX_LINKS_OF_PLAYER) {
      throw new AppError('conflict', {
        message: `A player can have at most ${MAX_LINKS_OF_PLAYER} links; ${player} has as many. Delete one first.`,
      })
    }
  }
  await assertUnderRowLimit(tx, actor.workspaceId, 'player_link')
  const [first, second] = userId < linkedUserId ? [userId, linkedUserId] : [linkedUserId, userId]
  const now = ports.now()
  const row: PlayerLinkTable = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    first_user_id: first,
    second_user_id: second,
    confidence,
    reason,
    created_by: actor.id,
    created_at: now,
    updated_at: now,
    version: 1,
  }
  await uniqueViolationToConflict(tx.run(insertLink, row), LINKED_ALREADY)
  return recordChange(tx, ports, actor, 'create', null, row)
}

async function changeLink(tx: Transaction, ports: Ports, actor: Actor, input: LinkChange) {
  const { id } = requireFields(input, 'id')
  assertSetsField(input, ['confidence', 'reason'])
  const before = await requireLink(tx, actor, id)
  assertVersion(before, input.ifMatch)
  const after: PlayerLinkTable = {
    ...before,
    confidence: input.confidence ?? before.confidence,
    reason: input.reason ?? before.reason,
    updated_at: ports.now(),
    version: before.version + 1,
  }
  if (isSameRow(before, after)) return { link: presentLink(before) }
  await tx.run(updateLink, after)
  return recordChange(tx, ports, actor, 'update', before, after)
}

async function removeLink(tx: Transaction, ports: Ports, actor: Actor, input: LinkChange) {
  const { id } = requireFields(input, 'id')
  const row = await requireLink(tx, actor, id)
  assertVersion(row, input.ifMatch)
  await tx.run(deleteLink, { workspaceId: actor.workspaceId, id })
  return recordChange(tx, ports, actor, 'delete', row, null)
}

/** Appends a change to the audit log and announces it. @returns the link */
async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: string,
  before: PlayerLinkTable | null,
  after: PlayerLinkTable | null,
) {
  const row = (after ?? before) as PlayerLinkTable
  await appendAuditEntry(tx, ports, actor, {
    action: `player_links.${action}`,
    target: { kind: 'player_link', id: row.id },
    before: before && presentLink(before),
    after: after && presentLink(after),
  })
  tx.announce({ kind: 'player_link', workspaceId: row.workspace_id, id: row.id })
  return { link: presentLink(row) }
}
