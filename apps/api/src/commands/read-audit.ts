import type { AuditKey } from '@reeve/audit'
import {
  DataFolderError,
  findMovedReason,
  hasInstance,
  inspectDataFolder,
  inspectServer,
  NewerSchemaError,
  type Queries,
} from '@reeve/db'
import { type CommandContext, noInstanceMessage } from '../command-line/command.ts'
import { readSettings } from '../config.ts'
import { findAuditKey } from '../secret-key/audit-key.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { getDataFolder, type SettingName } from '../settings.ts'

/** The settings of commands that read the audit log. */
export const AUDIT_SETTINGS: readonly SettingName[] = ['dataDir', 'databaseUrl', 'secretKey']

/**
 * Reads the audit log of an instance from a snapshot, next to a server that may be running.
 * @throws ConfigError, DataFolderError, DatabaseServerError; Error if the key of the log is not there
 */
export async function readAuditLog<Result>(
  { flags, env }: CommandContext,
  work: (read: Queries, key: AuditKey) => Promise<Result>,
): Promise<Result> {
  const config = readSettings(['dataDir', 'databaseUrl', 'secretKey'], flags, env)
  const inspection = await openInspection(config)
  try {
    const { key, problem } = await findAuditKey(config, inspection.read)
    if (key === null)
      throw new Error(`The audit log cannot be verified: ${problem}. \`reeve doctor\` says what to do.`)
    return await work(inspection.read, key)
  } finally {
    await inspection.close()
  }
}

/**
 * Opens a snapshot of an instance, next to a server that may be running.
 * @throws NewerSchemaError, because what this version does not know would be missing; DataFolderError, DatabaseServerError
 */
export async function openInspection(
  config: SecretKeyConfig,
): Promise<{ readonly read: Queries; readonly close: () => void | Promise<void> }> {
  const folder = getDataFolder(config)
  if (folder === null) {
    const inspection = await inspectServer(config.databaseUrl ?? '')
    const { movedReason, schema } = inspection
    if (movedReason === null && schema?.unknown.length === 0) return inspection
    await inspection.close()
    if (movedReason === null && schema !== null) throw new NewerSchemaError(schema.unknown)
    throw new Error(movedReason ?? 'The database contains no instance. Run `reeve init` to create one.')
  }
  if (!hasInstance(folder)) throw new DataFolderError(noInstanceMessage(folder))
  const movedReason = findMovedReason(folder)
  if (movedReason !== null) throw new DataFolderError(movedReason)
  const inspection = inspectDataFolder(folder)
  const { unknown } = inspection.schema()
  if (unknown.length === 0) return inspection
  inspection.close()
  throw new NewerSchemaError(unknown)
}
