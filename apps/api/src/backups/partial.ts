import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tryLockFile } from '@reeve/db'
import { toPartialPath } from './destination.ts'

const LOCK = 'lock'
const COPY = 'copy.db'
const FILES: ReadonlySet<string> = new Set([LOCK, `${LOCK}-journal`, COPY, `${COPY}-journal`])

/** A backup that is being written. */
export interface PartialBackup {
  /** The path of the copy of the database. It does not exist yet. */
  readonly copy: string
  /** Removes everything that is left of it. */
  readonly remove: () => void
}

/**
 * Creates a folder next to a backup, in which it is written until it is complete. A lock in it tells a backup that is being written from
 * what a killed process has left, which is replaced.
 * @throws Error if another process is writing the same backup; Error of the system where nothing can be written
 */
export function createPartial(file: string): PartialBackup {
  const path = toPartialPath(file)
  for (;;) {
    removeIfStale(path)
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error
      throw new Error(
        `Another backup is being written to ${file}, or ${path} is not of a backup. Wait until it is complete, or choose another file name.`,
      )
    }
    const release = lockPartial(path)
    // Another process has removed the folder before it had a lock.
    if (release === null) continue
    return {
      copy: join(path, COPY),
      remove() {
        rmSync(path, { recursive: true, force: true })
        release()
      },
    }
  }
}

/** Removes what killed processes have left of backups to a folder. What another process is writing stays. */
export function removeStalePartials(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^\..+\.db\.partial$/.test(name) || !existsSync(join(folder, name, LOCK))) continue
    try {
      removeIfStale(join(folder, name))
    } catch {
      // The next backup tries again: this one matters more.
    }
  }
}

function removeIfStale(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() === false) rmSync(path, { force: true })
  if (!stats?.isDirectory() || stats.uid !== process.getuid?.()) return
  if (readdirSync(path).some((name) => !FILES.has(name))) return
  const release = lockPartial(path)
  if (release === null) return
  rmSync(path, { recursive: true, force: true })
  release()
}

/** Locks the folder of a partial backup. @returns null if another process has locked or removed it */
function lockPartial(path: string): (() => void) | null {
  try {
    const release = tryLockFile(path, LOCK)
    if (release === null || existsSync(join(path, LOCK))) return release
    release()
    return null
  } catch (error) {
    if (existsSync(path)) throw error
    return null
  }
}
