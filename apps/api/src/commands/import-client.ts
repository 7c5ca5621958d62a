import { runImports } from '@reeve/moderation'
import type { Instance, InstanceCommand } from '../command-line/command.ts'
import { type InstanceConfig, runOnInstance } from '../command-line/run-instance-command.ts'
import { delegateCommand } from '../control-socket.ts'

/** Runs several steps on an instance: in this process if it can be opened, otherwise in the server that has it open. */
export interface ImportClient {
  readonly call: <Result>(name: string, command: InstanceCommand, input: object) => Promise<Result>
  /** Runs the queued imports, if no server does. */
  readonly run: () => Promise<void>
  readonly close: () => Promise<void>
}

/** @throws DataFolderError, DatabaseServerError, NewerSchemaError, SecretKeyError */
export const openImportClient = (config: InstanceConfig): Promise<ImportClient> =>
  runOnInstance<ImportClient>(config, {
    createsInstance: false,
    run: createLocalClient,
    async delegate(folder) {
      const client = createDelegatingClient(folder)
      return (await client.isListening()) ? client : null
    },
  })

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
