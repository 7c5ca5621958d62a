import {
  type Actor,
  hasPermission,
  isOpenAppealState,
  listPlayerKeys,
  type Ports,
  paginate,
  parsePage,
  wire,
} from '@reeve/core'
import { type AppealTable, isNameListed, type Queries, statement, statementFamily } from '@reeve/db'
import { listClaims } from '../claims/service.ts'
import { listAppealFiles, presentEvidenceFile } from '../evidence-files/stored-files.ts'
import { requireRecord } from '../records/record-store.ts'
import { getStatus } from '../records/sanction.ts'
import { presentAppeal } from './model.ts'
import { MAX_APPEALS_PER_BAN } from './next-appeal.ts'
import { createOwnBanFinder } from './own-ban.ts'
import { getPublicReason } from './player-message.ts'
import type { AppealFilter, AppealSummary, AppealsInput } from './portal-model.ts'
import { getAppealState, isOpen } from './rules.ts'
import { loadAppealSettings } from './settings.ts'
import { findAppeals, findMessages, requireAppeal } from './store.ts'

interface ListParams {
  readonly workspaceId: string
  readonly state: string
  readonly userIds: readonly string[]
  readonly accountId: string
  readonly now: number
  readonly after: string
  readonly limit: number
}

interface ListShape {
  readonly filter: 'open' | 'all' | 'open-state' | 'expired' | 'closed-state'
  readonly byPlayer: boolean
  readonly mine: boolean
  readonly isStart: boolean
}

const appealsPage = statementFamily<ListParams, ListShape>()((sql, p, shape, dialect) => {
  let query = sql.selectFrom('appeal').selectAll('appeal').where('appeal.workspace_id', '=', p.workspaceId)
  if (shape.mine) {
    query = query
      .innerJoin('claim', (join) =>
        join
          .onRef('claim.workspace_id', '=', 'appeal.workspace_id')
          .onRef('claim.target_id', '=', 'appeal.id'),
      )
      .where('claim.target_kind', '=', 'appeal')
      .where('claim.account_id', '=', p.accountId)
      .where('claim.expires_at', '>', p.now) as typeof query
  }
  if (shape.byPlayer) query = query.where(dialect.inList('appeal.user_id', p.userIds))
  if (shape.filter === 'open-state' || shape.filter === 'closed-state')
    query = query.where('state', '=', p.state as AppealTable['state'])
  // Some that are stored as open have expired with their ban.
  if (shape.filter === 'expired')
    query = query.where((eb) =>
      eb.or([
        eb('state', '=', 'expired'),
        eb.and([eb('closed_at', 'is', null), eb('ban_expires_at', '<=', p.now)]),
      ]),
    )
  const isOpen = shape.filter === 'open' || shape.filter === 'open-state'
  if (isOpen) {
    query = query
      .where('closed_at', 'is', null)
      .where((eb) => eb.or([eb('ban_expires_at', 'is', null), eb('ban_expires_at', '>', p.now)]))
  }
  // Who waits longest is first among those that are open.
  if (!shape.isStart) query = query.where('appeal.id', isOpen ? '>' : '<', p.after)
  return query.orderBy('appeal.id', isOpen ? 'asc' : 'desc').limit(p.limit)
})
const accountNames = statement<{ workspaceId: string; ids: readonly string[] }>({ isLookup: true })(
  (sql, p, dialect) =>
    sql
      .selectFrom('account')
      .select((eb) => [
        'id',
        eb
          .case()
          .when(isNameListed(eb, p.workspaceId))
          .then(eb.ref('username'))
          .else('')
          .end()
          .as('username'),
      ])
      .where(dialect.inList('id', p.ids)),
)
const keyNames = statement<{ workspaceId: string; ids: readonly string[] }>({ isLookup: true })(
  (sql, p, dialect) =>
    sql
      .selectFrom('api_key')
      .select(['id', 'name as username'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('id', p.ids)),
)

const toFilter = (state: AppealFilter): ListShape['filter'] => {
  if (state === 'open' || state === 'all' || state === 'expired') return state
  return isOpenAppealState(state) ? 'open-state' : 'closed-state'
}

type Staff = AppealSummary['decidedBy']

/** Finds the names of accounts and API keys: an id that no longer has one, and an empty name if it was blanked. */
async function loadNames(db: Queries, workspaceId: string, ids: readonly (string | null)[]) {
  const unique = [...new Set(ids.filter((id) => id !== null))]
  const names = new Map<string, string>()
  if (unique.length > 0) {
    for (const { id, username } of [
      ...(await db.all(accountNames, { workspaceId, ids: unique })),
      ...(await db.all(keyNames, { workspaceId, ids: unique })),
    ])
      names.set(id, username)
  }
  return (id: string | null): Staff => (id === null ? null : { id, username: names.get(id) ?? id })
}

async function presentSummaries(
  db: Queries,
  ports: Ports,
  { workspaceId }: Actor,
  rows: readonly AppealTable[],
) {
  const now = ports.now()
  const claims = await listClaims(
    db,
    ports,
    workspaceId,
    'appeal',
    rows.map(({ id }) => id),
  )
  const findName = await loadNames(
    db,
    workspaceId,
    rows.map((row) => row.decided_by),
  )
  return rows.map((row): AppealSummary => {
    const claim = claims.find(({ targetId }) => targetId === row.id)
    return {
      ...presentAppeal(row, getAppealState(row, now)),
      decidedBy: findName(row.decided_by),
      claim: claim
        ? { accountId: claim.accountId, username: claim.username, expiresAt: claim.expiresAt }
        : null,
    }
  })
}

/** Lists a page of appeals: open ones in the order in which they were submitted, all others newest first. */
export async function listAppeals(db: Queries, ports: Ports, actor: Actor, input: AppealsInput) {
  const { state = 'open', userId, mine = false } = input
  const page = parsePage('appeals', { ...input, state }, ['string'])
  const shape = {
    filter: toFilter(state),
    byPlayer: userId !== undefined,
    mine,
    isStart: page.after === null,
  }
  const rows = await db.all(appealsPage(shape), {
    workspaceId: actor.workspaceId,
    state,
    userIds: userId === undefined ? [] : listPlayerKeys(userId, actor.platforms),
    accountId: actor.id,
    now: ports.now(),
    after: String(page.after?.[0] ?? ''),
    limit: page.limit + 1,
  })
  const { rows: shown, nextCursor } = paginate(rows, page, ({ id }) => [id])
  return { appeals: await presentSummaries(db, ports, actor, shown), nextCursor }
}

/** An appeal with its ban and its messages, for staff. @throws AppError `not_found` */
export async function getAppeal(db: Queries, ports: Ports, actor: Actor, id: string) {
  const row = await requireAppeal(db, actor.workspaceId, id)
  const record = await requireRecord(db, actor, row.record_id)
  const settings = await loadAppealSettings(db, actor.workspaceId)
  const [appeal] = await presentSummaries(db, ports, actor, [row])
  const messages = await findMessages(db, row)
  const findName = await loadNames(
    db,
    actor.workspaceId,
    messages.map((message) => message.author_id),
  )
  const key = { workspaceId: actor.workspaceId, recordId: record.id }
  const others = (await findAppeals(db, key, MAX_APPEALS_PER_BAN)).filter((other) => other.id !== id)
  const now = ports.now()
  const ownBan = await createOwnBanFinder(db, actor, now)(record)
  const mayDecide =
    hasPermission(actor, 'appeals.decide') && (ownBan === null || settings.allows_own_decision === 1)
  return {
    appeal: appeal as AppealSummary,
    ban: {
      reason: record.reason,
      publicReason: getPublicReason(record),
      status: getStatus(record, now),
      createdAt: wire.time.write(record.created_at),
      expiresAt: wire.writeNullableTime(record.expires_at),
      appealableUntil: wire.writeNullableTime(record.appeal_until),
      actorUsername: record.actor_username,
    },
    answers: JSON.parse(row.answers) as { question: string; answer: string }[],
    messages: messages.map((message) => ({
      id: message.id,
      from: message.author,
      text: message.text,
      createdAt: wire.time.write(message.created_at),
      internal: String(message.is_internal === 1),
      author: findName(message.author_id),
    })),
    files: listAppealFiles(record, id).map(presentEvidenceFile),
    earlier: others.map((other) => ({
      id: other.id,
      state: getAppealState(other, now),
      submittedAt: wire.time.write(other.submitted_at),
    })),
    canDecide: String(mayDecide && isOpen(row, now)),
    isOwnBan: String(ownBan !== null),
    ownCaseNumber: ownBan && String(ownBan.case_number),
    cooldownDays: String(settings.cooldown_days),
  }
}

/** An appeal as webhooks send it; null if it does not exist. */
export async function findAppealSummary(db: Queries, ports: Ports, actor: Actor, id: string) {
  const [appeal] = await presentSummaries(db, ports, actor, [await requireAppeal(db, actor.workspaceId, id)])
  return appeal ?? null
}
