import { forbidden, type SecondFactorPolicy, wire } from '@reeve/core'
import { type Queries, statement, type WorkspaceTable } from '@reeve/db'
import { areMultipleFactors } from '../factors/factor.ts'
import { type AuthenticatedSession, findSessionFactors } from '../sessions/session.ts'
import type { Settings } from '../settings.ts'
import type { Membership } from './membership.ts'
import type { Rule } from './rule.ts'

type PolicyColumns = Pick<WorkspaceTable, 'second_factor_permissions' | 'second_factor_grace_days'>

const policyByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .select(['second_factor_permissions', 'second_factor_grace_days'])
    .where('id', '=', p.workspaceId),
)

/** Whether a session lacks the second factor that the instance requires on a route. */
export const lacksInstanceFactor = (
  rule: Rule,
  { factors }: AuthenticatedSession,
  { mfa }: Pick<Settings, 'mfa'>,
): boolean => mfa === 'required' && !rule.allowWithoutInstanceFactor && !areMultipleFactors(factors)

/** Of whom a workspace requires a second factor; null for nobody. */
export const parseSecondFactorPolicy = ({
  second_factor_permissions: permissions,
  second_factor_grace_days: graceDays,
}: PolicyColumns): SecondFactorPolicy | null =>
  permissions === null || graceDays === null
    ? null
    : { permissions: wire.permissionSet.read(permissions), graceDays }

/** The policy of a workspace. */
export async function findSecondFactorPolicy(
  db: Queries,
  workspaceId: string,
): Promise<SecondFactorPolicy | null> {
  const row = await db.first(policyByWorkspace, { workspaceId })
  return row === undefined ? null : parseSecondFactorPolicy(row)
}

/** Whether a member cannot use the workspace without a second factor any more. @param now epoch milliseconds */
export const needsSecondFactor = (
  { secondFactorDueAt }: Pick<Membership, 'secondFactorDueAt'>,
  now: number,
): boolean => secondFactorDueAt !== null && secondFactorDueAt <= now

/** The error for a session that a workspace does not let in. */
export const workspaceRequiresSecondFactor = () =>
  forbidden(
    'second_factor_required',
    'This workspace requires a second factor. Add one to your account, or verify it in this session, to continue.',
  )

/**
 * Asserts that a session has the second factor that the workspace requires of a member.
 * @param now epoch milliseconds
 * @throws AppError `forbidden` (`second_factor_required`)
 */
export function assertMemberSecondFactor(
  membership: Membership,
  { factors }: Pick<AuthenticatedSession, 'factors'>,
  now: number,
): void {
  if (needsSecondFactor(membership, now) && !areMultipleFactors(factors))
    throw workspaceRequiresSecondFactor()
}

/**
 * Tells whether a session has the second factor that the workspace requires of a member, where only its id is known, such as for a request that
 * names no workspace.
 * @param now epoch milliseconds
 */
export async function isWorkspaceOpenTo(
  db: Queries,
  membership: Membership,
  sessionId: string | null,
  now: number,
): Promise<boolean> {
  if (!needsSecondFactor(membership, now)) return true
  const factors = sessionId === null ? null : await findSessionFactors(db, sessionId)
  return areMultipleFactors(factors ?? [])
}
