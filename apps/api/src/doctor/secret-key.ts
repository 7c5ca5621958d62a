import type { Queries } from '@reeve/db'
import { createPorts } from '../ports.ts'
import { hasSecretKey, matchesSecretKey } from '../secret-key/check-value.ts'
import { MISSING_SETTING, SecretKeyError } from '../secret-key/error.ts'
import { readSharedPermissions } from '../secret-key/key-file.ts'
import {
  describeSecretKey,
  findSecretKey,
  missingFileError,
  type SecretKeyConfig,
  wrongKeyMessage,
} from '../secret-key/open.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const RESTORE_ADVICE = 'Without its key, the server of this instance does not start.'
const COPY_ADVICE = 'Keep a copy of it outside this machine: backups do not contain it.'

/** Checks that the secret key is there, that others cannot read it, and that it is the one of the database. */
export async function checkSecretKey(config: SecretKeyConfig, read: Queries): Promise<Finding> {
  try {
    const key = findSecretKey(config)
    const matches = key === null ? null : await matchesSecretKey(read, createPorts(key))
    if (key === null) return await checkMissingKey(config, read)
    if (matches === false) return fault('key', wrongKeyMessage(config), RESTORE_ADVICE)
    const label = describeSecretKey(config)
    if (config.secretKey === null && readSharedPermissions(config.dataDir) !== 0)
      return warning('key', `Other users can access the secret key ${label}.`, `Run \`chmod 600 ${label}\`.`)
    return ok('key', `The secret key in ${label} is that of this instance.`, COPY_ADVICE)
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error
    return fault('key', error.message, RESTORE_ADVICE)
  }
}

async function checkMissingKey(config: SecretKeyConfig, read: Queries): Promise<Finding> {
  if (config.databaseUrl !== null) return fault('key', MISSING_SETTING, RESTORE_ADVICE)
  return (await hasSecretKey(read))
    ? fault('key', missingFileError(config.dataDir).message, RESTORE_ADVICE)
    : warning('key', 'This instance has no secret key yet.', 'The next start of the server creates it.')
}
