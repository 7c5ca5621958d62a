import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireForRestore, type DataFolder, DataFolderError } from '@reeve/db'
import { withCleanUp } from '../clean-up.ts'
import { assertPrivateDestination, createFolder } from './destination.ts'

const SCRATCH = '.verify'

/**
 * Runs something in a scratch data folder inside the backup folder, which has room for a backup, and removes it, also on a
 * signal. What a killed process left is removed first.
 * @throws Error if another process uses it
 */
export async function withScratchFolder<T>(
  backupFolder: string,
  run: (scratch: string, lock: DataFolder) => Promise<T>,
): Promise<T> {
  const isNew = !existsSync(backupFolder)
  const scratch = join(backupFolder, SCRATCH)
  let lock: DataFolder | null = null
  const remove = () => {
    if (lock !== null) rmSync(scratch, { recursive: true, force: true })
    lock?.release()
    lock = null
    if (isNew && existsSync(backupFolder) && readdirSync(backupFolder).length === 0) rmdirSync(backupFolder)
  }
  return withCleanUp(remove, async () => {
    createFolder(backupFolder)
    assertPrivateDestination({ folder: backupFolder, name: null })
    lock = lockScratch(scratch)
    for (const name of readdirSync(scratch))
      if (name.startsWith('reeve.db')) rmSync(join(scratch, name), { force: true })
    return run(scratch, lock)
  })
}

/** Removes what a killed process left: a whole copy of a backup. */
export function removeStaleScratch(backupFolder: string): void {
  const scratch = join(backupFolder, SCRATCH)
  if (!existsSync(scratch)) return
  try {
    const lock = acquireForRestore(scratch)
    rmSync(scratch, { recursive: true, force: true })
    lock.release()
  } catch (error) {
    // Another process uses it, or it holds other files.
    if (!(error instanceof DataFolderError)) throw error
  }
}

function lockScratch(scratch: string): DataFolder {
  try {
    return acquireForRestore(scratch)
  } catch (error) {
    if (!(error instanceof DataFolderError && error.locked)) throw error
    throw new Error(`Another backup is being checked in ${scratch}. Wait until it has finished.`)
  }
}
