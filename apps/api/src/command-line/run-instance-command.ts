import { DataFolderError, hasInstance } from '@reeve/db'
import { StorageGuard } from '@reeve/metering'
import { resolvePublicUrl } from '../config.ts'
import { delegateCommand } from '../control-socket.ts'
import { pluralize } from '../format.ts'
import { openInstance } from '../open-instance.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { type Config, getDataFolder, type SettingName } from '../settings.ts'
import { type Instance, type InstanceCommand, noInstanceMessage } from './command.ts'

/** How long to wait for a process that has the lock of the data folder but accepts no commands yet, and how often to retry. */
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

export type InstanceConfig = SecretKeyConfig & Pick<Config, (typeof instanceSettings)[number]>

interface InstanceRun<Result> {
  /** Whether the instance is created if there is none. */
  readonly createsInstance: boolean
  /** Gets the instance that this process has opened, and closes it. */
  readonly run: (instance: Instance) => Result | Promise<Result>
  /** Asks the process that has locked the folder. @returns null if it accepts no commands */
  readonly delegate: (folder: string) => Promise<Result | null>
}

/**
 * Runs something on an instance: in this process if the data folder is not locked or the data is in PostgreSQL, otherwise through the process that
 * has locked the folder.
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError, SecretKeyError; what `run` and `delegate` throw
 */
export async function runOnInstance<Result>(
  config: InstanceConfig,
  { createsInstance, run, delegate }: InstanceRun<Result>,
): Promise<Result> {
  const folder = getDataFolder(config)
  if (folder !== null && !createsInstance && !hasInstance(folder))
    throw new DataFolderError(noInstanceMessage(folder))
  for (const startedAt = performance.now(); ; await Bun.sleep(LOCK_POLL_MS)) {
    try {
      return await run(await openForCommand(config))
    } catch (error) {
      if (!(error instanceof DataFolderError && error.locked) || folder === null) throw error
      const delegated = await delegate(folder)
      if (delegated !== null) return delegated
      // The process that has the lock accepts no commands: a server that is starting or stopping, or another command.
      if (performance.now() - startedAt > LOCK_TIMEOUT_MS) throw error
    }
  }
}

async function openForCommand(config: InstanceConfig): Promise<Instance> {
  const opened = await openInstance(config, ({ rows }) =>
    process.stderr.write(`Keyed the audit log: ${pluralize(rows, 'row')}.\n`),
  )
  return {
    ...opened,
    publicUrl: resolvePublicUrl(config, config.port),
    storage: new StorageGuard(opened.db, config.storageQuota),
    shutdownSignal: new AbortController().signal,
  }
}

/**
 * Runs a command on an instance.
 * @throws AppError as the command does; what `runOnInstance` throws
 */
export const runInstanceCommand = (
  name: string,
  command: InstanceCommand,
  config: InstanceConfig,
  input: object,
): Promise<object> =>
  runOnInstance<object>(config, {
    createsInstance: command.createsInstance,
    async run(instance) {
      try {
        return await command.run(instance, input as never)
      } finally {
        await instance.db.close()
      }
    },
    delegate: async (folder) => (await delegateCommand(folder, name, input))?.result ?? null,
  })
