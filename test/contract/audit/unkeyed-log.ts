import { type Database, statement, type Transaction } from '@reeve/db'

const CHECK_VALUE = 'secret-key-check'
const STATE = 'audit-rekey'

const deleteSecret = statement<{ name: string }>()((sql, p) =>
  sql.deleteFrom('instance_secret').where('name', '=', p.name),
)
const secretByName = statement<{ name: string }>()((sql, p) =>
  sql.selectFrom('instance_secret').select('value').where('name', '=', p.name),
)
const updateSecret = statement<{ name: string; value: string }>()((sql, p) =>
  sql.updateTable('instance_secret').set({ value: p.value }).where('name', '=', p.name),
)

/** Makes a database one that belongs to no secret key. */
export const forgetSecretKey = (tx: Transaction) => tx.run(deleteSecret, { name: CHECK_VALUE })

/** How far the keying of the log is, as stored. */
export const readRekeyState = async (db: Database): Promise<string> =>
  (await db.read.first(secretByName, { name: STATE }))?.value ?? ''

export const writeRekeyState = (db: Database, value: string) =>
  db.write((tx) => tx.run(updateSecret, { name: STATE, value }))
