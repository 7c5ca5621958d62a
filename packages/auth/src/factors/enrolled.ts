import { type Queries, statement } from '@reeve/db'
import type { SecondFactor } from './factor.ts'

const passkeyOfAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('passkey').select('id').where('account_id', '=', p.accountId).limit(1),
)
const totpOfAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('totp').select('created_at').where('account_id', '=', p.accountId),
)
const recoveryCodeOfAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('recovery_code').select('created_at').where('account_id', '=', p.accountId).limit(1),
)

/**
 * The second factors that an account can present, preferred ones first. Recovery codes stand in for a lost factor, so they are
 * listed only next to one.
 */
export async function listSecondFactors(db: Queries, accountId: string): Promise<readonly SecondFactor[]> {
  const hasPasskey = (await db.first(passkeyOfAccount, { accountId })) !== undefined
  const hasTotp = (await db.first(totpOfAccount, { accountId })) !== undefined
  if (!hasPasskey && !hasTotp) return []
  const hasRecoveryCode = (await db.first(recoveryCodeOfAccount, { accountId })) !== undefined
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
    ...(hasRecoveryCode ? (['recovery_code'] as const) : []),
  ]
}
