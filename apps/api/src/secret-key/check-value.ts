import { encryptPreviousKey, requestRekey } from '@reeve/audit'
import { reencryptMails, reencryptPseudonymKeys, reencryptTotpSecrets } from '@reeve/auth'
import type { Ports } from '@reeve/core'
import { type Database, type Queries, statement } from '@reeve/db'
import { reencryptWebhookSecrets } from '@reeve/webhooks'

/** The name of the check value among the secrets that the processes of an instance share. */
const NAME = 'secret-key-check'

const findCheckValue = statement()((sql) =>
  sql.selectFrom('instance_secret').select('value').where('name', '=', NAME),
)
const insertCheckValue = statement<{ checkValue: string }>()((sql, p) =>
  sql
    .insertInto('instance_secret')
    .values({ name: NAME, value: p.checkValue })
    .onConflict((conflict) => conflict.doNothing()),
)

const deleteCheckValue = statement()((sql) => sql.deleteFrom('instance_secret').where('name', '=', NAME))

/** Derived from the secret key, which cannot be computed from it. */
const computeCheckValue = (ports: Pick<Ports, 'deriveKey'>): string =>
  Buffer.from(ports.deriveKey('check')).toString('hex')

/** Whether a database belongs to a secret key. */
export const hasSecretKey = async (queries: Queries): Promise<boolean> =>
  (await queries.first(findCheckValue, {})) !== undefined

/** Whether the secret key of a database is this one; null if it has none yet. */
export async function matchesSecretKey(
  queries: Queries,
  ports: Pick<Ports, 'deriveKey'>,
): Promise<boolean | null> {
  const stored = await queries.first(findCheckValue, {})
  return stored === undefined ? null : stored.value === computeCheckValue(ports)
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
    await reencryptPseudonymKeys(tx, from, to)
    await tx.run(deleteCheckValue, {})
    await tx.run(insertCheckValue, { checkValue: computeCheckValue(to) })
    await requestRekey(tx, to, { isUnverified: false, previousKey: encryptPreviousKey(to, from) })
  })
