import { rekeyAudit, verifyAudit } from '@reeve/audit'
import { SECRET_KEY_BYTES } from '@reeve/core/keys'
import { type Database, secretKeyPath } from '@reeve/db'
import { decodeKey } from '../backups/encryption/key-file.ts'
import { cliActor, localCommand, optional, type Progress, pathCodec } from '../command-line/command.ts'
import { UsageError } from '../command-line/input.ts'
import { readSettings } from '../config.ts'
import { pluralize } from '../format.ts'
import { createPorts } from '../ports.ts'
import { readSecretFile } from '../secret-files.ts'
import { rotateSecretKey } from '../secret-key/check-value.ts'
import { SecretKeyError } from '../secret-key/error.ts'
import { activateNextKeyFile, createNextKeyFile } from '../secret-key/key-file.ts'
import { assertSecretKey, openSecretKey, type SecretKeyConfig } from '../secret-key/open.ts'
import { settings } from '../settings.ts'
import { AUDIT_SETTINGS } from './read-audit.ts'
import { assertInstance, withUnusedDatabase } from './unused-instance.ts'

const VARIABLE = settings.secretKey.env

/** For a key that somebody else may know. One that is lost is replaced with `secret-key replace`. */
export const rotateSecretKeyCommand = localCommand({
  options: {
    newKeyFile: optional(
      '<path>',
      `a file with the new key, the base64 of ${SECRET_KEY_BYTES} bytes; required if the key is in ${VARIABLE}`,
      pathCodec,
    ),
  },
  settings: AUDIT_SETTINGS,
  async run({ flags, env, progress }, { newKeyFile }) {
    const config = readSettings(['dataDir', 'databaseUrl', 'secretKey'], flags, env)
    assertInstance(config)
    const givenKey = readGivenKey(config, newKeyFile)
    const report = await withUnusedDatabase(
      config,
      (db) => rotate(db, config, givenKey, progress),
      (read) => assertSecretKey(read, config),
    )
    return { key: givenKey === null ? secretKeyPath(config.dataDir) : VARIABLE, rows: report?.rows ?? 0 }
  },
  print: ({ key, rows }) =>
    [
      key === VARIABLE
        ? `The instance has the new key. Set ${VARIABLE} to it for every process before you start one.`
        : `The new key of the instance is in ${key}. Keep a copy of it outside this machine.`,
      `${pluralize(rows, 'row')} of the audit log were verified with the old key and authenticated with the new one. Anchors and exports of before belong to the old key.`,
      key === VARIABLE
        ? 'Keep the old key as long as you keep backups from before: they belong to it.'
        : 'Backups from before belong to the old key, which the new one has replaced in the file: keep your copy of it as long as you keep them.',
    ].join('\n'),
})

/** The new key of an instance whose key is in the settings; null for one whose key is in its data folder. */
function readGivenKey({ secretKey }: SecretKeyConfig, file: string | null): Uint8Array | null {
  if (secretKey === null && file === null) return null
  if (secretKey === null)
    throw new UsageError(['--new-key-file is not needed: the new key is created next to the data.'])
  if (file === null)
    throw new UsageError([
      `--new-key-file is missing: the key is in ${VARIABLE}, which this command cannot change. Create one with \`openssl rand -base64 32\`.`,
    ])
  const key = decodeKey(readSecretFile(file))
  if (key.length !== SECRET_KEY_BYTES)
    throw new SecretKeyError(
      `${file} is not a secret key: it must contain the base64 of ${SECRET_KEY_BYTES} bytes.`,
    )
  if (Buffer.compare(key, secretKey) === 0)
    throw new SecretKeyError(`${file} contains the key that the instance has. Create another one.`)
  return key
}

async function rotate(
  db: Database,
  config: SecretKeyConfig,
  givenKey: Uint8Array | null,
  progress: Progress,
) {
  const from = await openSecretKey(db, config)
  // What an earlier rotation was interrupted in.
  await rekeyAudit(db, from, cliActor(from))
  progress.step('Verifying the audit log with the old key')
  const { faults } = await verifyAudit(db.read, from, {
    onProgress: (rows) => progress.update(`${rows} rows`),
  })
  if (faults.length > 0)
    throw new SecretKeyError(
      'The audit log has faults, which `reeve audit verify` lists. Nothing was changed: with another key, nobody could tell them from older ones.',
    )
  const to = createPorts(givenKey ?? createNextKeyFile(config.dataDir))
  await rotateSecretKey(db, from, to)
  if (givenKey === null) activateNextKeyFile(config.dataDir)
  progress.step('Authenticating the audit log with the new key')
  return rekeyAudit(db, to, cliActor(to))
}
