import { existsSync } from 'node:fs'
import { rekeyAudit } from '@reeve/audit'
import { type Database, secretKeyPath } from '@reeve/db'
import { cliActor, localCommand } from '../command-line/command.ts'
import { readSettings } from '../config.ts'
import { pluralize } from '../format.ts'
import { createPorts } from '../ports.ts'
import { hasSecretKey, matchesSecretKey, replaceSecretKey } from '../secret-key/check-value.ts'
import { SecretKeyError } from '../secret-key/error.ts'
import { createSecretKeyFile } from '../secret-key/key-file.ts'
import { assertSecretKeyConfigured, describeSecretKey, type SecretKeyConfig } from '../secret-key/open.ts'
import { AUDIT_SETTINGS } from './read-audit.ts'
import { assertInstance, withUnusedDatabase } from './unused-instance.ts'

/** For an instance whose key is lost: no server starts on it otherwise. */
export const replaceSecretKeyCommand = localCommand({
  options: {},
  settings: AUDIT_SETTINGS,
  async run({ flags, env }) {
    const config = readSettings(['dataDir', 'databaseUrl', 'secretKey'], flags, env)
    assertInstance(config)
    assertSecretKeyConfigured(config)
    return withUnusedDatabase(config, async (db) => {
      const ports = createPorts(await provideKey(db, config))
      await replaceSecretKey(db, ports)
      const report = await rekeyAudit(db, ports, cliActor(ports))
      return { key: describeSecretKey(config), rows: report?.rows ?? 0 }
    })
  },
  print: ({ key, rows }) =>
    [
      `The secret key of the instance is now that in ${key}. Keep a copy of it outside this machine.`,
      `${pluralize(rows, 'row')} of the audit log were keyed without being verified. Their history before now is only as good as anchors and exports of it.`,
      'Second factors that were set up with the lost key no longer work: reset them for each account that has one.',
      'Webhooks cannot send with the lost key: each is disabled at its next event. Rotate its secret, or set the URL of a Discord webhook again, and resume it.',
      'Bans of players who were pseudonymised match nobody any more.',
    ].join('\n'),
})

/** @throws SecretKeyError if the key of the instance is not lost, or a file would have to be replaced */
async function provideKey(db: Database, config: SecretKeyConfig): Promise<Uint8Array> {
  if (!(await hasSecretKey(db.read)))
    throw new SecretKeyError('This instance has no secret key yet: the next start of the server creates it.')
  if (config.secretKey === null) {
    const file = secretKeyPath(config.dataDir)
    if (!existsSync(file)) return createSecretKeyFile(config.dataDir)
    throw new SecretKeyError(`${file} exists. If it is not the key of this instance, move it away first.`)
  }
  if (!(await matchesSecretKey(db.read, createPorts(config.secretKey)))) return config.secretKey
  throw new SecretKeyError(
    `${describeSecretKey(config)} is the secret key of this instance: nothing has to be replaced.`,
  )
}
