import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatMiB } from '../format.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Below this, in bytes, the next write may not fit. */
const MIN_FREE_BYTES = 64 * 2 ** 20

/** Who may use a data folder, and how much room there is. */
export function checkFolder(folder: string): Finding[] {
  const files = readdirSync(folder).map((name) => join(folder, name))
  return [checkFileAccess(folder, files), checkDiskSpace(folder, files)]
}

function checkFileAccess(folder: string, files: readonly string[]): Finding {
  const inaccessible = [folder, ...files].filter((path) => !isAccessible(path))
  if (inaccessible.length > 0) {
    return fault(
      'folder',
      `This user may not read and write ${inaccessible.join(', ')}.`,
      'Run as the user that runs the server, or give the files to it.',
    )
  }
  const owners = new Map(files.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.uid]))
  const owner = owners.get(join(folder, 'reeve.db'))
  const others = files.filter((path) => (owners.get(path) ?? owner) !== owner)
  if (owner !== undefined && others.length > 0) {
    return fault(
      'folder',
      `The database belongs to the user with the number ${owner}, but not ${others.join(', ')}.`,
      `chown ${owner} ${others.join(' ')}, and run commands as that user.`,
    )
  }
  if (isAccessibleToOthers(folder)) {
    return warning('folder', `Other users of this machine may look into ${folder}.`, `chmod 700 ${folder}`)
  }
  return ok('folder', `${folder} is readable and writable, and closed to others.`)
}

function checkDiskSpace(folder: string, files: readonly string[]): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  const usedBytes = files.reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const summary = `${formatMiB(freeBytes)} are free, and the instance takes ${formatMiB(usedBytes)}.`
  if (freeBytes < MIN_FREE_BYTES) return fault('disk', summary, 'Make room: writes fail when there is none.')
  if (freeBytes < usedBytes)
    return warning('disk', summary, 'Make room: a copy of the instance would not fit.')
  return ok('disk', summary)
}

function isAccessible(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return !existsSync(path)
  }
}

const isAccessibleToOthers = (path: string): boolean => (statSync(path).mode & 0o077) !== 0
