import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  isAccessibleToOthers,
  isReadOnlyFileSystem,
  isShared,
  privateFolderCommand,
  READ_ONLY_ADVICE,
  readOnlyFileSystemMessage,
} from '@reeve/db'
import { formatMiB } from '../format.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** With less free space than this, in bytes, the next write can fail. */
const MIN_FREE_BYTES = 64 * 2 ** 20

/** Checks the permissions of a data folder and the free disk space. */
export function checkFolder(folder: string): Finding[] {
  const files = readdirSync(folder).map((name) => join(folder, name))
  return [checkFileAccess(folder, files), checkDiskSpace(folder, files)]
}

export const inaccessibleFinding = (paths: string): Finding =>
  fault(
    'folder',
    `Permission denied: this user does not have read and write permission for ${paths}.`,
    'Run this command as the user that runs the server (sudo -u <user> reeve doctor), or make this user the owner of the files.',
  )

function checkFileAccess(folder: string, files: readonly string[]): Finding {
  if (isReadOnlyFileSystem(findAccessError(folder)))
    return fault('folder', readOnlyFileSystemMessage(folder), READ_ONLY_ADVICE)
  const inaccessible = [folder, ...files].filter((path) => findAccessError(path) !== null)
  if (inaccessible.length > 0) return inaccessibleFinding(inaccessible.join(', '))
  const owners = new Map(files.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.uid]))
  const owner = owners.get(join(folder, 'reeve.db'))
  const others = files.filter((path) => (owners.get(path) ?? owner) !== owner)
  if (owner !== undefined && others.length > 0) {
    return fault(
      'folder',
      `The database is owned by the user with ID ${owner}, but these files are not: ${others.join(', ')}.`,
      `Run \`chown ${owner} ${others.join(' ')}\`, and run commands as that user.`,
    )
  }
  const advice = `Run \`${privateFolderCommand(folder)}\`.`
  if (isAccessibleToOthers(folder))
    return fault(
      'folder',
      `Other users of this machine can access ${folder}. The server does not start on it.`,
      advice,
    )
  if (isShared(folder)) return warning('folder', `The group of ${folder} can access it.`, advice)
  return ok('folder', `${folder} is readable and writable, and not accessible to other users.`)
}

function checkDiskSpace(folder: string, files: readonly string[]): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  const usedBytes = files.reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const summary = `${formatMiB(freeBytes)} are free; the instance uses ${formatMiB(usedBytes)}.`
  if (freeBytes < MIN_FREE_BYTES)
    return fault('disk', summary, 'Free up disk space: writes fail when the disk is full.')
  if (freeBytes < usedBytes)
    return warning('disk', summary, 'Free up disk space: a copy of the instance would not fit.')
  return ok('disk', summary)
}

/** Why this user may not read and write a file; null if it may, or if there is no file. */
function findAccessError(path: string): unknown {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return null
  } catch (error) {
    return existsSync(path) ? error : null
  }
}
