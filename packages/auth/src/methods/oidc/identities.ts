import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, type Ports } from '@reeve/core'
import {
  type AccountIdentityTable,
  type AccountTable,
  insertAll,
  type Queries,
  statement,
  type Transaction,
} from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import type { Settings } from '../../settings.ts'
import type { ProviderIdentity } from './exchange.ts'
import type { OidcProvider } from './provider.ts'

type IdentityKey = { issuer: string; subject: string }

const accountBySubject = statement<IdentityKey>()((sql, p) =>
  sql
    .selectFrom('account_identity')
    .innerJoin('account', 'account.id', 'account_identity.account_id')
    .selectAll('account')
    .where('account_identity.issuer', '=', p.issuer)
    .where('account_identity.subject', '=', p.subject),
)
const identitiesByAccount = statement<{ accountId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('account_identity')
    .selectAll()
    .where('account_id', '=', p.accountId)
    .orderBy('created_at')
    .orderBy('issuer')
    .limit(p.limit),
)
const insertIdentity = statement<AccountIdentityTable>()((sql, p) => insertAll(sql, 'account_identity', p))
const updateLastUse = statement<IdentityKey & { name: string | null; now: number }>()((sql, p) =>
  sql
    .updateTable('account_identity')
    .set({ name: p.name, last_used_at: p.now })
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
)
const deleteIdentity = statement<{ accountId: string; issuer: string }>()((sql, p) =>
  sql.deleteFrom('account_identity').where('account_id', '=', p.accountId).where('issuer', '=', p.issuer),
)
const identitiesByIssuer = statement<{ issuer: string; accountIds: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('account_identity')
    .select(['account_id', 'subject', 'name'])
    .where(dialect.inList('account_id', p.accountIds))
    .where('issuer', '=', p.issuer),
)
const passwordOfAccount = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('account').select('password_hash').where('id', '=', p.id),
)
const passkeyOfAccount = statement<{ accountId: string; rpId: string }>()((sql, p) =>
  sql
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', p.accountId)
    .where('rp_id', '=', p.rpId)
    .limit(1),
)

/** An account has at most one identity of each issuer, so this is far above what one can have. */
const MAX_IDENTITIES = 100

/** The account that an identity is linked to. */
export const findAccountByIdentity = (
  db: Queries,
  { issuer, subject }: IdentityKey,
): Promise<AccountTable | undefined> => db.first(accountBySubject, { issuer, subject })

/** The identities that are linked to an account, in the order in which they were linked. */
export const listIdentities = (db: Queries, accountId: string): Promise<AccountIdentityTable[]> =>
  db.all(identitiesByAccount, { accountId, limit: MAX_IDENTITIES })

/** The identities of several accounts at one issuer. */
export const listIdentitiesByIssuer = (db: Queries, issuer: string, accountIds: readonly string[]) =>
  db.all(identitiesByIssuer, { issuer, accountIds })

/** Notes that an identity was used, and what the provider calls it now. */
export const recordIdentityUse = async (
  tx: Transaction,
  ports: Ports,
  { issuer, subject, name }: ProviderIdentity,
): Promise<void> => {
  await tx.run(updateLastUse, { issuer, subject, name, now: ports.now() })
}

/** An identity, as the audit log names it. */
const describeIdentity = ({ issuer, subject, name }: ProviderIdentity) => ({ issuer, subject, name })

/**
 * Links an identity to the account of the actor.
 * @throws AppError `conflict` if it is linked to an account, or the account to another identity of the issuer
 */
export async function linkIdentity(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  provider: Pick<OidcProvider, 'id' | 'name'>,
  identity: ProviderIdentity,
): Promise<void> {
  const other = (await listIdentities(tx, actor.id)).find(({ issuer }) => issuer === identity.issuer)
  if (other !== undefined && other.subject !== identity.subject) {
    throw new AppError('conflict', {
      message: `Your account is already linked to ${describeOther(other.name)} ${provider.name} account. Unlink that one first.`,
    })
  }
  const owner = await findAccountByIdentity(tx, identity)
  if (owner !== undefined) {
    const isOwn = owner.id === actor.id
    throw new AppError('conflict', {
      message: isOwn
        ? `This ${provider.name} account is already linked to your account.`
        : `This ${provider.name} account is linked to another account of this instance. Unlink it there first.`,
    })
  }
  const now = ports.now()
  await uniqueViolationToConflict(
    tx.run(insertIdentity, {
      ...identity,
      account_id: actor.id,
      provider: provider.id,
      created_at: now,
      last_used_at: now,
    }),
    `This ${provider.name} account was linked a moment ago.`,
  )
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.link_identity',
    target: { kind: 'account', id: actor.id },
    after: describeIdentity(identity),
    chain: INSTANCE_CHAIN,
  })
}

const describeOther = (name: string | null): string => (name === null ? 'another' : `the other (${name})`)

/**
 * Unlinks the identity of an issuer from the actor's account. The last way to sign in stays.
 * An identity of a provider that is not configured, or a passkey for another host, is none.
 * @throws AppError `not_found`, `conflict` for the last way to sign in
 */
export async function unlinkIdentity(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { oidcProviders: providers, publicUrl }: Pick<Settings, 'oidcProviders' | 'publicUrl'>,
  issuer: string,
): Promise<AccountIdentityTable> {
  const identities = await listIdentities(tx, actor.id)
  const identity = identities.find((candidate) => candidate.issuer === issuer)
  if (identity === undefined)
    throw new AppError('not_found', { message: 'No account of this provider is linked to yours.' })
  const canSignInWithOther = identities.some(
    (candidate) =>
      candidate.issuer !== issuer && providers.some((provider) => provider.issuer.href === candidate.issuer),
  )
  const account = await tx.first(passwordOfAccount, { id: actor.id })
  const hasPasskey =
    (await tx.first(passkeyOfAccount, { accountId: actor.id, rpId: publicUrl.hostname })) !== undefined
  if (!canSignInWithOther && !hasPasskey && (account?.password_hash ?? null) === null) {
    throw new AppError('conflict', {
      message:
        'This is the only way to sign in to your account. Link another account, add a passkey or get a password from an operator first.',
    })
  }
  await tx.run(deleteIdentity, { accountId: actor.id, issuer })
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.unlink_identity',
    target: { kind: 'account', id: actor.id },
    before: describeIdentity(identity),
    chain: INSTANCE_CHAIN,
  })
  return identity
}
