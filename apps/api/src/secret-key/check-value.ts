import {
  CHECK_VALUE_NAME,
  computeCheckValue,
  encryptPreviousKey,
  readCheckValue,
  requestRekey,
} from '@reeve/audit'
import { reencryptMails, reencryptPlayerKeys, reencryptTotpSecrets } from '@reeve/auth'
import type { Ports } from '@reeve/core'
import { type Database, type Queries, statement } from '@reeve/db'
import { reencryptWebhookSecrets } from '@reeve/webhooks'

const insertCheckValue = statement<{ checkValue: string }>()((sql, p) =>
  sql
    .insertInto('instance_secret')
    .values({ name: CHECK_VALUE_NAME, value: p.checkValue })
    .onConflict((conflict) => conflict.doNothing()),
)

const deleteCheckValue = statement()((sql) =>
  sql.deleteFrom('instance_secret').where('name', '=', CHECK_VALUE_NAME),
)

/** Whether a database belongs to a secret key. */
export const hasSecretKey = async (queries: Queries): Promise<boolean> =>
  (await readCheckValue(queries)) !== null

/** Whether the secret key of a database is this one; null if it has none yet. */
export async function matchesSecretKey(
  queries: Queries,
  ports: Pick<Ports, 'deriveKey'>,
): Promise<boolean | null> {
  const stored = await readCheckValue(queries)
  return stored === null ? null : stored === computeCheckValue(ports)
}

/**
 * Stores the check value of a secret key. An audit log that exists already is keyed afterwards.
 * @returns whether the secret key of the database is this one now
 */
export const claimSecretKey = (db: Database, ports: Pick<Ports, 'deriveKey'>): Promise<boolean> =>
  db.write(async (tx) => {
    const inserted = await tx.run(insertCheckValue, { checkValue: computeCheckValue(ports) })
    if (inserted > 0) await requestRekey(tx, ports, { isUnverified: false, previousKey: null })
    return (await matchesSecretKey(tx, ports)) === true
  })

/** Gives an instance whose secret key is lost another one. Its audit log has to be keyed afterwards. */
export const replaceSecretKey = (db: Database, ports: Pick<Ports, 'deriveKey'>): Promise<void> =>
  db.write(async (tx) => {
    await tx.run(deleteCheckValue, {})
    await tx.run(insertCheckValue, { checkValue: computeCheckValue(ports) })
    await requestRekey(tx, ports, { isUnverified: true, previousKey: null })
  })

/**
 * Gives an instance another secret key, in one transaction: everything that is encrypted with the old one is encrypted with the new one, except for what belongs to a key that was lost before.
 * Its audit log has to be keyed afterwards, which a start of the server continues after an interruption.
 */
export const rotateSecretKey = (db: Database, from: Ports, to: Ports): Promise<void> =>
  db.write(async (tx) => {
    await reencryptTotpSecrets(tx, from, to)
    await reencryptMails(tx, from, to)
    await reencryptWebhookSecrets(tx, from, to)
    await reencryptPlayerKeys(tx, from, to)
    await tx.run(deleteCheckValue, {})
    await tx.run(insertCheckValue, { checkValue: computeCheckValue(to) })
    await requestRekey(tx, to, { isUnverified: false, previousKey: encryptPreviousKey(to, from) })
  })
