import { DataFolderError, hasInstance } from '@reeve/db'
import { StorageGuard } from '@reeve/metering'
import { resolvePublicUrl } from '../config.ts'
import { delegateCommand } from '../control-socket.ts'
import { pluralize } from '../format.ts'
import { openInstance } from '../open-instance.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { type Config, getDataFolder, type SettingName } from '../settings.ts'
import { type InstanceCommand, noInstanceMessage } from './command.ts'

/** How long a command waits for the lock of the data folder, and how often it retries. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_POLL_MS = 50

/** The settings that commands on an instance read. */
export const instanceSettings = [
  'dataDir',
  'databaseUrl',
  'secretKey',
  'storageQuota',
  'publicUrl',
  'host',
  'port',
] as const satisfies readonly SettingName[]

type InstanceConfig = SecretKeyConfig & Pick<Config, (typeof instanceSettings)[number]>

/**
 * Runs a command on an instance: in this process if the data folder is not locked or the data is in PostgreSQL, otherwise in
 * the process that has locked the folder.
 * @throws AppError as the command does; DataFolderError, DatabaseServerError, NewerSchemaError, SecretKeyError
 */
export async function runInstanceCommand(
  name: string,
  command: InstanceCommand,
  config: InstanceConfig,
  input: object,
): Promise<object> {
  const folder = getDataFolder(config)
  if (folder === null) return runInProcess(command, config, input)
  if (!command.createsInstance && !hasInstance(folder)) {
    throw new DataFolderError(noInstanceMessage(folder))
  }
  for (const startedAt = performance.now(); ; await Bun.sleep(LOCK_POLL_MS)) {
    try {
      return await runInProcess(command, config, input)
    } catch (error) {
      if (!(error instanceof DataFolderError && error.locked)) throw error
      const delegated = await delegateCommand(folder, name, input)
      if (delegated) return delegated.result
      // The process that has the lock accepts no commands: a server that is starting or stopping, or another command.
      if (performance.now() - startedAt > LOCK_TIMEOUT_MS) throw error
    }
  }
}

async function runInProcess(
  command: InstanceCommand,
  config: InstanceConfig,
  input: object,
): Promise<object> {
  const opened = await openInstance(config, ({ rows }) =>
    process.stderr.write(`Keyed the audit log: ${pluralize(rows, 'row')}.\n`),
  )
  try {
    const publicUrl = resolvePublicUrl(config, config.port)
    const storage = new StorageGuard(opened.db, config.storageQuota)
    return await command.run({ ...opened, publicUrl, storage }, input as never)
  } finally {
    await opened.db.close()
  }
}
