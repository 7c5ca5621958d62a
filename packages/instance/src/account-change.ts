import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { endAccountSessions } from '@reeve/auth'
import { type Actor, AppError, assertSetsField, type Ports, requireFields } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import { getAccount, requireAccount } from './account-read.ts'
import type { AccountChange } from './model.ts'

/** One who was only created, with a link that is not used yet, has no way to sign in. */
const otherActiveOperator = statement<{ id: string }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select('id')
    .where('is_operator', '=', 1)
    .where('disabled_at', 'is', null)
    .where('id', '!=', p.id)
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('password_hash', 'is not', null),
        exists(
          selectFrom('account_identity')
            .select('subject')
            .whereRef('account_identity.account_id', '=', 'account.id'),
        ),
        exists(
          selectFrom('passkey')
            .select('credential_id')
            .whereRef('passkey.account_id', '=', 'account.id')
            .where('has_verified_user', '=', 1),
        ),
      ]),
    )
    .limit(1),
)
const update = statement<{ id: string; operator: number; disabledAt: number | null; now: number }>()(
  (sql, p) =>
    sql
      .updateTable('account')
      .set({ is_operator: p.operator, disabled_at: p.disabledAt, updated_at: p.now })
      .where('id', '=', p.id),
)

/**
 * Grants or removes operator access, and disables or enables an account. Disabling ends the account's sessions; what it created stays.
 * At least one operator can always sign in.
 * @throws AppError `invalid_request`, `not_found`, `conflict` for the last operator and for disabling one's own account
 */
export async function changeAccount(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<AccountChange, 'id' | 'isOperator' | 'disabled'>,
) {
  const { id } = requireFields(input, 'id')
  const { isOperator, disabled } = input
  assertSetsField(input, ['isOperator', 'disabled'])
  const before = await requireAccount(tx, id)
  const now = ports.now()
  const wasOperator = before.is_operator === 1
  const wasDisabled = before.disabled_at !== null
  const operator = isOperator ?? wasOperator
  const isDisabled = disabled ?? wasDisabled
  if (isDisabled && id === actor.id)
    throw new AppError('conflict', { message: 'You cannot disable your own account.' })
  if (wasOperator && !wasDisabled && (!operator || isDisabled)) await assertAnotherOperator(tx, id)
  if (operator === wasOperator && isDisabled === wasDisabled) return getAccount(tx, id)
  const disabledAt = isDisabled ? (before.disabled_at ?? now) : null
  await tx.run(update, { id, operator: operator ? 1 : 0, disabledAt, now })
  if (isDisabled && !wasDisabled) await endAccountSessions(tx, id)
  const actions = [
    ...(operator === wasOperator ? [] : [operator ? 'make_operator' : 'unmake_operator']),
    ...(isDisabled === wasDisabled ? [] : [isDisabled ? 'disable' : 'enable']),
  ]
  for (const action of actions) {
    await appendAuditEntry(tx, ports, actor, {
      action: `accounts.${action}`,
      target: { kind: 'account', id },
      before: { username: before.username, isOperator: wasOperator, disabled: wasDisabled },
      after: { username: before.username, isOperator: operator, disabled: isDisabled },
      chain: INSTANCE_CHAIN,
    })
  }
  return getAccount(tx, id)
}

/** @throws AppError `conflict` if no other operator can sign in */
export async function assertAnotherOperator(tx: Transaction, id: string): Promise<void> {
  if (await tx.first(otherActiveOperator, { id })) return
  throw new AppError('conflict', {
    message: 'This is the last operator who can sign in. Make another account an operator first.',
  })
}
