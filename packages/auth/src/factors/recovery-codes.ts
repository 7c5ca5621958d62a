import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import {
  type Actor,
  AppError,
  invalidRequest,
  normalizeBase32,
  type Ports,
  RECOVERY_CODES,
} from '@reeve/core'
import { insertAll, type Queries, type RecoveryCodeTable, statement, type Transaction } from '@reeve/db'
import { generateCode } from '../base32-code.ts'
import { queueNotice } from '../mail/notice.ts'
import { hashToken } from '../token.ts'
import { listSecondFactors } from './enrolled.ts'

const codesOfAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('recovery_code').select('created_at').where('account_id', '=', p.accountId),
)
const insertCode = statement<RecoveryCodeTable>()((sql, p) => insertAll(sql, 'recovery_code', p))
const deleteCode = statement<{ accountId: string; hash: string }>()((sql, p) =>
  sql.deleteFrom('recovery_code').where('account_id', '=', p.accountId).where('code_hash', '=', p.hash),
)
const deleteCodes = statement<{ accountId: string }>()((sql, p) =>
  sql.deleteFrom('recovery_code').where('account_id', '=', p.accountId),
)

/** 120 bits, so that a plain hash is enough. Source: OWASP ASVS 5.0, 6.5.2. */
const CODE_LENGTH = 24

/** The unused recovery codes of an account: their number, and when they were created. */
export async function countRecoveryCodes(db: Queries, accountId: string) {
  const codes = await db.all(codesOfAccount, { accountId })
  return { remaining: codes.length, createdAt: codes[0]?.created_at ?? null }
}

/** Replaces the recovery codes of an account. @returns the new ones; only their hashes are stored */
export async function createRecoveryCodes(
  tx: Transaction,
  ports: Ports,
  accountId: string,
): Promise<string[]> {
  await tx.run(deleteCodes, { accountId })
  const codes = Array.from({ length: RECOVERY_CODES }, () => generateCode(ports, CODE_LENGTH))
  for (const code of codes) {
    const codeHash = hashToken(normalizeBase32(code))
    await tx.run(insertCode, { account_id: accountId, code_hash: codeHash, created_at: ports.now() })
  }
  return codes
}

/** Replaces the recovery codes of the actor. @throws AppError `conflict` without a second factor that they could stand in for */
export async function replaceRecoveryCodes(tx: Transaction, ports: Ports, actor: Actor) {
  if ((await listSecondFactors(tx, actor.id)).length === 0) {
    throw new AppError('conflict', {
      message: 'Recovery codes replace a lost second factor. Add a second factor first.',
    })
  }
  const recoveryCodes = await createRecoveryCodes(tx, ports, actor.id)
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.create_recovery_codes',
    target: { kind: 'account', id: actor.id },
    chain: INSTANCE_CHAIN,
  })
  await queueNotice(tx, ports, actor.id, { event: 'recovery_codes_created' })
  return { recoveryCodes }
}

/**
 * Uses a recovery code up. Of concurrent requests, also of several processes, only one succeeds.
 * @param actor the account
 * @throws AppError `invalid_request` naming `recoveryCode`
 */
export async function useRecoveryCode(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  code: string,
): Promise<void> {
  const hash = hashToken(normalizeBase32(code))
  if ((await tx.run(deleteCode, { accountId: actor.id, hash })) === 0) {
    throw invalidRequest({ field: 'recoveryCode', message: 'is not correct, or was already used' })
  }
  const { remaining } = await countRecoveryCodes(tx, actor.id)
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.use_recovery_code',
    target: { kind: 'account', id: actor.id },
    after: { remaining },
    chain: INSTANCE_CHAIN,
  })
  await queueNotice(tx, ports, actor.id, { event: 'recovery_code_used', remaining })
}

/** Deletes the recovery codes of an account. */
export const deleteRecoveryCodes = async (tx: Transaction, accountId: string): Promise<void> => {
  await tx.run(deleteCodes, { accountId })
}
