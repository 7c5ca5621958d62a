import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiskUsage } from '../database.ts'

/** The room of a database file and the log beside it, which is not there while it is empty. */
export async function readDiskUsage(file: string): Promise<DiskUsage> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  const { bavail, blocks, bsize } = await statfs(dirname(file))
  return {
    bytes: sizes.reduce((total, size) => total + size, 0),
    disk: { free: bavail * bsize, total: blocks * bsize },
  }
}
