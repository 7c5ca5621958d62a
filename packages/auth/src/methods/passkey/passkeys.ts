import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, type Ports, requireFields } from '@reeve/core'
import { type PasskeyTable, type Queries, statement, type Transaction } from '@reeve/db'
import { assertHasSignInMethod } from '../../accounts/sign-in-methods.ts'
import { recordFactorRemoved } from '../../factors/change.ts'
import type { Settings } from '../../settings.ts'
import { MAX_PASSKEYS, presentPasskey, type RenameInput } from './model.ts'
import type { RelyingParty } from './relying-party.ts'

const passkeysOfAccount = statement<{ accountId: string; limit: number }>()((sql, p) =>
  sql.selectFrom('passkey').selectAll().where('account_id', '=', p.accountId).orderBy('id').limit(p.limit),
)
const passkeyById = statement<{ accountId: string; id: string }>()((sql, p) =>
  sql.selectFrom('passkey').selectAll().where('account_id', '=', p.accountId).where('id', '=', p.id),
)
const updateName = statement<{ accountId: string; id: string; name: string }>()((sql, p) =>
  sql
    .updateTable('passkey')
    .set({ name: p.name })
    .where('account_id', '=', p.accountId)
    .where('id', '=', p.id),
)
const deletePasskey = statement<{ accountId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('passkey').where('account_id', '=', p.accountId).where('id', '=', p.id),
)

/** The passkeys of an account, oldest first, also those of another host. */
export const findPasskeys = (db: Queries, accountId: string): Promise<PasskeyTable[]> =>
  db.all(passkeysOfAccount, { accountId, limit: MAX_PASSKEYS })

/** The passkeys of an account that work for the current host, oldest first. */
export const findUsablePasskeys = async (
  db: Queries,
  accountId: string,
  { id }: RelyingParty,
): Promise<PasskeyTable[]> => (await findPasskeys(db, accountId)).filter(({ rp_id: rpId }) => rpId === id)

/** For an account that must use one of its passkeys, but has none, or only such for an earlier URL of this instance. */
export const noUsablePasskey = (): AppError =>
  new AppError('conflict', { message: 'Your account has no passkey for this site. Use another way.' })

/** The passkeys of the actor's account, and whether they can be used. */
export async function listPasskeys(db: Queries, relyingParty: RelyingParty, actor: Actor) {
  const rows = await findPasskeys(db, actor.id)
  const { origin, problem } = relyingParty
  return {
    passkeys: rows.map((row) => presentPasskey(row, relyingParty)),
    origin,
    problem,
    limit: String(MAX_PASSKEYS),
  }
}

/**
 * Renames a passkey of the actor's account.
 * @throws AppError `not_found`, also for another account's passkey; `conflict` if another one of the account has the name
 */
export async function renamePasskey(
  tx: Transaction,
  ports: Ports,
  relyingParty: RelyingParty,
  actor: Actor,
  input: RenameInput,
) {
  const { id, name } = requireFields(input, 'id', 'name')
  const existing = await findPasskeys(tx, actor.id)
  const before = existing.find((row) => row.id === id)
  if (!before) throw new AppError('not_found')
  if (before.name !== name) {
    if (existing.some((row) => row.name === name))
      throw new AppError('conflict', { message: `You already have a passkey named ${name}.` })
    await tx.run(updateName, { accountId: actor.id, id, name })
    await appendAuditEntry(tx, ports, actor, {
      action: 'accounts.rename_passkey',
      target: { kind: 'account', id: actor.id },
      before: { name: before.name },
      after: { name },
      chain: INSTANCE_CHAIN,
    })
  }
  return { passkey: presentPasskey({ ...before, name }, relyingParty) }
}

/**
 * Removes a passkey of the actor's account. It is rejected from then on.
 * @throws AppError `not_found`, also for another account's passkey; `conflict` if the account could not sign in any more
 */
export async function removePasskey(
  tx: Transaction,
  ports: Ports,
  settings: Pick<Settings, 'oidcProviders' | 'publicUrl'>,
  actor: Actor,
  id: string,
) {
  const before = await tx.first(passkeyById, { accountId: actor.id, id })
  if (!before) throw new AppError('not_found')
  await tx.run(deletePasskey, { accountId: actor.id, id })
  await assertHasSignInMethod(tx, settings, actor.id)
  await recordFactorRemoved(tx, ports, actor, { factor: 'passkey', name: before.name })
  return { id }
}
