import { DataFolderError, hasInstance } from '@reeve/db'
import { StorageGuard } from '@reeve/metering'
import { runImports } from '@reeve/moderation'
import { resolvePublicUrl } from '../config.ts'
import { delegateCommand } from '../control-socket.ts'
import { openInstance } from '../open-instance.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { type Config, getDataFolder } from '../settings.ts'
import { type Instance, type InstanceCommand, noInstanceMessage } from './command.ts'
import type { instanceSettings } from './run-instance-command.ts'

/** How long to wait for a process that has the folder but accepts no commands yet, and how often to try. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_POLL_MS = 50

/** Runs several steps on an instance: in this process if it can be opened, otherwise in the server that has it open. */
export interface ImportClient {
  readonly call: <Result>(name: string, command: InstanceCommand, input: object) => Promise<Result>
  /** Runs the queued imports, if no server does. */
  readonly run: () => Promise<void>
  readonly close: () => Promise<void>
}

type ClientConfig = SecretKeyConfig & Pick<Config, (typeof instanceSettings)[number]>

/** @throws DataFolderError, DatabaseServerError, NewerSchemaError, SecretKeyError */
export async function openImportClient(config: ClientConfig): Promise<ImportClient> {
  const folder = getDataFolder(config)
  if (folder !== null && !hasInstance(folder)) throw new DataFolderError(noInstanceMessage(folder))
  for (const startedAt = performance.now(); ; await Bun.sleep(LOCK_POLL_MS)) {
    try {
      const opened = await openInstance(config, () => {})
      return createLocalClient({
        ...opened,
        publicUrl: resolvePublicUrl(config, config.port),
        storage: new StorageGuard(opened.db, config.storageQuota),
      })
    } catch (error) {
      if (!(error instanceof DataFolderError && error.locked) || folder === null) throw error
      const client = createDelegatingClient(folder)
      if (await client.isListening()) return client
      if (performance.now() - startedAt > LOCK_TIMEOUT_MS) throw error
    }
  }
}

function createLocalClient(instance: Instance): ImportClient {
  const { db, ports, storage } = instance
  const shutdown = new AbortController()
  const runner = crypto.randomUUID()
  let failure: unknown = null
  return {
    call: <Result>(_name: string, command: InstanceCommand, input: object) =>
      command.run(instance, input as never) as Promise<Result>,
    async run() {
      await runImports({
        db,
        ports,
        storage,
        runner,
        signal: shutdown.signal,
        onFailure(error) {
          failure ??= error
        },
      })
      // There is no log of a server that would have it.
      if (failure !== null) throw failure
    },
    async close() {
      shutdown.abort()
      await db.close()
    },
  }
}

function createDelegatingClient(
  folder: string,
): ImportClient & { readonly isListening: () => Promise<boolean> } {
  return {
    isListening: async () => (await delegateCommand(folder, 'job list', { workspace: null })) !== null,
    async call<Result>(name: string, _command: InstanceCommand, input: object) {
      const delegated = await delegateCommand(folder, name, input)
      if (delegated === null)
        throw new Error(
          'The server has stopped. It continues the import when it starts again: `reeve import list` shows it.',
        )
      return delegated.result as Result
    },
    run: async () => {},
    close: async () => {},
  }
}
