import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables/index.ts'

/**
 * The condition of an API key that is neither revoked nor expired: its status is `live`, or `expiring` while its revocation is scheduled.
 * @param eb of a statement on `api_key`, whatever it joins @param now epoch milliseconds
 */
export const isUsableKey = (eb: object, now: number): Expression<SqlBool> => {
  const keys = eb as ExpressionBuilder<Tables, 'api_key'>
  return keys.and([
    keys.or([keys('revoked_at', 'is', null), keys('revoked_at', '>', now)]),
    keys.or([keys('expires_at', 'is', null), keys('expires_at', '>', now)]),
  ])
}
