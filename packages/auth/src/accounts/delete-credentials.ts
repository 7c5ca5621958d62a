import { statement, type Transaction } from '@reeve/db'
import { endAccountSessions } from '../sessions/session.ts'

const credentialTables = [
  'account_identity',
  'known_device',
  'mail',
  'one_time_token',
  'passkey',
  'recovery_code',
  'totp',
] as const

const deletions = credentialTables.map((table) =>
  // The tables have the column in common; Kysely needs one of their names for its types.
  statement<{ accountId: string }>()((sql, p) =>
    sql.deleteFrom(table as 'passkey').where('account_id', '=', p.accountId),
  ),
)

/**
 * Deletes everything that an account can sign in with, apart from its password: sessions, factors, linked identities, links, and mails
 * that are not sent yet.
 */
export async function deleteCredentials(tx: Transaction, accountId: string): Promise<void> {
  await endAccountSessions(tx, accountId)
  for (const deletion of deletions) await tx.run(deletion, { accountId })
}
