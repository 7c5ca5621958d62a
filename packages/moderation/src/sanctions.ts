import { type SanctionKind, wire } from '@reeve/core'
import { type RecordTable, statement } from '@reeve/db'
import { nullableString, responseObject, stringField } from '@reeve/http'
import type { Static } from '@sinclair/typebox'
import { type NextAppeal, selectNextAppeal } from './appeals/next-appeal.ts'
import { presentAppealCode } from './appeals/player-message.ts'

/** The sanctions in force as programs follow them: what decides about a player, without the rest of the record. */

const columns = [
  'id',
  'user_id',
  'case_number',
  'expires_at',
  'reason',
  'public_reason',
  'appeal_code',
  'appeal_from',
  'appeal_until',
] as const

export type SanctionRow = Pick<RecordTable, (typeof columns)[number]>

/** With what a check needs to tell the player about appeals. */
export type CheckedRow = SanctionRow & NextAppeal

/** The current bans or mutes of players, at most one for each. Some may have expired. */
export const sanctionsOfPlayers = statement<{
  workspaceId: string
  kind: SanctionKind
  userIds: readonly string[]
}>({ isLookup: true })((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_in_force'))
    .select(columns)
    .select((eb) => selectNextAppeal(eb, p.workspaceId))
    .where('workspace_id', '=', p.workspaceId)
    .where('action', '=', p.kind)
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where(dialect.inList('user_id', p.userIds)),
)

/** The current bans or mutes of the next players in the order of their ids. Some may have expired. */
export const sanctionsAfter = statement<{
  workspaceId: string
  kind: SanctionKind
  after: string
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_in_force'))
    .select(columns)
    .where('workspace_id', '=', p.workspaceId)
    .where('action', '=', p.kind)
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
)

/** The fields that a sanction has in every response. */
export const sanctionFields = {
  kind: stringField('`ban` or `mute`', 'ban'),
  userId: stringField('The player', wire.playerId.example),
  recordId: stringField('The record'),
  caseNumber: stringField('Its case number in the workspace', '17'),
  expiresAt: nullableString('When it expires; null is never', wire.time.example),
  reason: nullableString(
    'Its reason for the player: the public reason of its template, or its own; null if that was redacted',
    'Exploiting',
  ),
  appealCode: nullableString(
    'The code with which the player appeals, and reads the decision; null if it could never be appealed',
    '7K3M9-Q9TX2',
  ),
}

export const SanctionInForce = responseObject(sanctionFields, 'A ban or mute in force', 'Sanction')

export type SanctionInForce = Static<typeof SanctionInForce>

export const presentSanction = (kind: SanctionKind, row: SanctionRow): SanctionInForce => ({
  kind,
  userId: row.user_id,
  recordId: row.id,
  caseNumber: String(row.case_number),
  expiresAt: wire.writeNullableTime(row.expires_at),
  appealCode: presentAppealCode(row),
  reason: row.public_reason ?? row.reason,
})
