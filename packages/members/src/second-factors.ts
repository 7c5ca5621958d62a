import { type Actor, forbidden, OWNER_RANK, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import type { ListedMember } from './model.ts'

const accountsWithPasskey = statement<{ accountIds: readonly string[] }>()((sql, p, dialect) =>
  sql.selectFrom('passkey').select('account_id').distinct().where(dialect.inList('account_id', p.accountIds)),
)
const accountsWithTotp = statement<{ accountIds: readonly string[] }>()((sql, p, dialect) =>
  sql.selectFrom('totp').select('account_id').where(dialect.inList('account_id', p.accountIds)),
)

/** Only the owner sees who has a second factor: an account without one is a better target. */
const canSeeSecondFactors = ({ rank }: Pick<Actor, 'rank'>): boolean => rank >= OWNER_RANK

/** @throws AppError `forbidden` (`insufficient_rank`) for anyone but the owner */
export function assertCanFilterBySecondFactor(actor: Pick<Actor, 'rank'>): void {
  if (!canSeeSecondFactors(actor))
    throw forbidden('insufficient_rank', 'Only the owner sees who has a second factor.')
}

/** Reads who of these members has a second factor. @returns a function that adds it to each of them */
export async function readSecondFactors(
  db: Queries,
  actor: Pick<Actor, 'rank'>,
  accountIds: readonly string[],
): Promise<<Member extends { readonly accountId: string }>(member: Member) => Member & SecondFactorField> {
  if (!canSeeSecondFactors(actor)) return (member) => ({ ...member, hasSecondFactor: null })
  const rows = [
    ...(await db.all(accountsWithPasskey, { accountIds })),
    ...(await db.all(accountsWithTotp, { accountIds })),
  ]
  const withFactor = new Set(rows.map((row) => row.account_id))
  return (member) => ({ ...member, hasSecondFactor: wire.boolean.write(withFactor.has(member.accountId)) })
}

type SecondFactorField = Pick<ListedMember, 'hasSecondFactor'>
