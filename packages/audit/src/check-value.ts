import { AppError } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import type { AuditKey } from './authenticate.ts'

/** The name of the check value among the secrets that the processes of an instance share. */
export const CHECK_VALUE_NAME = 'secret-key-check'

const findCheckValue = statement({ isLookup: true, isCommutative: true })((sql) =>
  sql.selectFrom('instance_secret').select('value').where('name', '=', CHECK_VALUE_NAME),
)

/** Derived from the secret key, which cannot be computed from it. */
export const computeCheckValue = ({ deriveKey }: AuditKey): string =>
  Buffer.from(deriveKey('check')).toString('hex')

/** The check value of the secret key that a database belongs to; null if it has none yet. */
export const readCheckValue = async (queries: Queries): Promise<string | null> =>
  (await queries.first(findCheckValue, {}))?.value ?? null

/** @throws AppError if a process was started with a secret key that is no longer that of the instance */
export function assertCheckValue(key: AuditKey, stored: string | null): void {
  if (stored === null || stored === computeCheckValue(key)) return
  throw new AppError('unavailable', {
    message:
      'The secret key of this instance was replaced while this process was running. Start it again with the new key.',
  })
}
