import { DataFolderError, type DataLocation, hasInstance, openDatabase } from '@reeve/db'
import { handOver } from '../command-socket.ts'
import { realPorts } from '../ports.ts'
import { folderOf } from '../settings.ts'
import { type InstanceCommand, noInstance } from './command.ts'

/** How long a command waits for another one to be done with the folder, and how often it looks. */
const PATIENCE_MS = 10_000
const LOOK_MS = 50

/**
 * Runs a command on an instance: here where its data folder is free or its data lies on a server, else in the process that
 * holds the folder.
 * @throws AppError as the command does; DataFolderError, DatabaseServerError, NewerSchemaError
 */
export async function runOnInstance(
  name: string,
  command: InstanceCommand,
  place: DataLocation,
  input: object,
): Promise<object> {
  const folder = folderOf(place)
  if (folder === null) return runHere(command, place, input)
  if (!command.begins && !hasInstance(folder)) {
    throw new DataFolderError(noInstance(folder))
  }
  for (const since = performance.now(); ; await Bun.sleep(LOOK_MS)) {
    try {
      return await runHere(command, place, input)
    } catch (error) {
      if (!(error instanceof DataFolderError && error.locked)) throw error
      const answered = await handOver(folder, name, input)
      if (answered) return answered.result
      // It is held by a process that takes no commands: one that starts or stops, or another command.
      if (performance.now() - since > PATIENCE_MS) throw error
    }
  }
}

async function runHere(command: InstanceCommand, place: DataLocation, input: object): Promise<object> {
  const { database: db, applied } = await openDatabase(place, realPorts.now)
  try {
    return await command.run({ db, ports: realPorts, applied }, input as never)
  } finally {
    await db.close()
  }
}
