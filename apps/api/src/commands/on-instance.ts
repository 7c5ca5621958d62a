import { DataFolderError, hasInstance, openDataFolder } from '@reeve/db'
import { handOver } from '../command-socket.ts'
import { realPorts } from '../ports.ts'
import { type InstanceCommand, noInstance } from './command.ts'

/** How long a command waits for another one to be done with the folder, and how often it looks. */
const PATIENCE_MS = 10_000
const LOOK_MS = 50

/**
 * Runs a command on the instance of a data folder: here where the folder is free, else in the process that holds it.
 * @throws AppError as the command does; DataFolderError, NewerSchemaError
 */
export async function runOnInstance(
  name: string,
  command: InstanceCommand,
  folder: string,
  input: object,
): Promise<object> {
  if (!command.begins && !hasInstance(folder)) {
    throw new DataFolderError(noInstance(folder))
  }
  for (const since = performance.now(); ; await Bun.sleep(LOOK_MS)) {
    try {
      return await runHere(command, folder, input)
    } catch (error) {
      if (!(error instanceof DataFolderError && error.locked)) throw error
      const answered = await handOver(folder, name, input)
      if (answered) return answered.result
      // It is held by a process that takes no commands: one that starts or stops, or another command.
      if (performance.now() - since > PATIENCE_MS) throw error
    }
  }
}

async function runHere(command: InstanceCommand, folder: string, input: object): Promise<object> {
  const { database: db, applied } = await openDataFolder(folder, realPorts.now)
  try {
    return await command.run({ db, ports: realPorts, applied }, input as never)
  } finally {
    await db.close()
  }
}
