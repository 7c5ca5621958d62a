import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes that a test can fill and free; null if this user may not mount one. */
export function mountSmallDisk(megabytes: number) {
  const path = mkdtempSync(join(tmpdir(), 'reeve-disk-'))
  const mountResult = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  if (mountResult.exitCode !== 0) {
    rmSync(path, { recursive: true })
    return null
  }
  const ballastFile = join(path, 'ballast')
  return {
    data: join(path, 'data'),
    /** Uses up some bytes of the free space. */
    fill(bytes: number) {
      const file = openSync(ballastFile, 'a')
      writeSync(file, Buffer.alloc(bytes))
      closeSync(file)
    },
    /** The free space, in bytes. */
    countFreeBytes() {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
    /** Frees what was used up. */
    free: () => unlinkSync(ballastFile),
    remove() {
      // A deleted file uses space until the last process closes it.
      Bun.spawnSync(['umount', '--lazy', path])
      rmSync(path, { recursive: true })
    },
  }
}
