import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiskUsage } from '../database.ts'

/** The size of a database file and its WAL, which may not exist, and the space on their disk. */
export async function readDiskUsage(file: string): Promise<DiskUsage> {
  const [databaseBytes = 0, walBytes = 0] = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  const { bavail, blocks, bsize } = await statfs(dirname(file))
  return {
    bytes: databaseBytes + walBytes,
    walBytes,
    disk: { free: bavail * bsize, total: blocks * bsize },
  }
}
