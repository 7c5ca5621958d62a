import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Permissions of users who are neither the owner nor in the group of a folder. */
const OTHERS = 0o007
const OTHERS_WRITE = 0o002
/** In such a folder, only the owner of a file can rename or delete it. */
const STICKY = 0o1000
const ALL_BUT_OWNER = 0o077

const getMode = (path: string): number => statSync(path).mode

/** Whether users who are neither the owner nor in the group can access a folder. The group can be meant to: see docs/self-host.md. */
export const isAccessibleToOthers = (folder: string): boolean => (getMode(folder) & OTHERS) !== 0

/** Whether anyone but the owner can access a folder. */
export const isShared = (folder: string): boolean => (getMode(folder) & ALL_BUT_OWNER) !== 0

/** Whether others could exchange a file that this program creates in a folder, before it is complete. */
export function isWritableByOthers(folder: string): boolean {
  const mode = getMode(folder)
  return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0
}

/** The command that makes a folder private. */
export const privateFolderCommand = (folder: string): string => `chmod 700 ${folder}`

/**
 * Removes the access of everyone but the owner from files of this user, as an earlier version or a copy by hand left them.
 * @param isOurs decides by the name whether a file in the folder is concerned
 */
export function makeFilesPrivate(folder: string, isOurs: (name: string) => boolean): void {
  for (const name of readdirSync(folder).filter(isOurs)) {
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || found.uid !== process.getuid?.() || (found.mode & ALL_BUT_OWNER) === 0) continue
    chmodSync(path, found.mode & 0o700)
  }
}
