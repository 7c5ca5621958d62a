import { appendAuditEntry, INSTANCE_CHAIN, parseChanges } from '@reeve/audit'
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
import { assertHasSignInMethod } from '../../accounts/sign-in-methods.ts'
import { queueNotice } from '../../mail/notice.ts'
import type { Settings } from '../../settings.ts'
import type { ProviderIdentity } from './exchange.ts'
import { presentIdentity } from './model.ts'
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
/** The entries of an action about accounts. */
const accountEntries = statement<{ workspaceId: string; accountIds: readonly string[]; action: string }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('audit', 'audit_by_target'))
      .select('changes')
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('target_id', p.accountIds))
      .where('action', '=', p.action),
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
 * Links an identity to the account of the actor, who is notified.
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
  await queueNotice(tx, ports, actor.id, { event: 'identity_linked', provider: provider.name })
}

const describeOther = (name: string | null): string => (name === null ? 'another' : `the other (${name})`)

const UNLINK_IDENTITY = 'accounts.unlink_identity'

/** The subjects of the identities that were linked to some accounts once, which the audit log of the instance has. */
export async function listUnlinkedSubjects(
  db: Queries,
  accountIds: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const entries = await db.all(accountEntries, {
    workspaceId: INSTANCE_CHAIN,
    accountIds,
    action: UNLINK_IDENTITY,
  })
  return new Set(
    entries.map(({ changes }) => (changes === null ? null : parseChanges(changes).before?.subject)),
  )
}

/**
 * Unlinks the identity of an issuer from the actor's account, and notifies them. The last way to sign in stays.
 * @throws AppError `not_found`, `conflict` for the last way to sign in
 */
export async function unlinkIdentity(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  settings: Pick<Settings, 'oidcProviders' | 'publicUrl'>,
  issuer: string,
): Promise<AccountIdentityTable> {
  const identity = (await listIdentities(tx, actor.id)).find((candidate) => candidate.issuer === issuer)
  if (identity === undefined)
    throw new AppError('not_found', { message: 'No account of this provider is linked to yours.' })
  await tx.run(deleteIdentity, { accountId: actor.id, issuer })
  await assertHasSignInMethod(tx, settings, actor.id)
  await appendAuditEntry(tx, ports, actor, {
    action: UNLINK_IDENTITY,
    target: { kind: 'account', id: actor.id },
    before: describeIdentity(identity),
    chain: INSTANCE_CHAIN,
  })
  const { providerName } = presentIdentity(identity, settings.oidcProviders)
  await queueNotice(tx, ports, actor.id, { event: 'identity_unlinked', provider: providerName })
  return identity
}
