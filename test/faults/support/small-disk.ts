import { closeSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes that can be filled and freed; null where this user may not mount one. */
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
    /** Takes room away. */
    fill(bytes: number) {
      const file = openSync(ballastFile, 'w')
      writeSync(file, Buffer.alloc(bytes))
      closeSync(file)
    },
    /** Gives it back. */
    free: () => unlinkSync(ballastFile),
    remove() {
      // Whoever still has a file of it open keeps it for that long.
      Bun.spawnSync(['umount', '--lazy', path])
      rmSync(path, { recursive: true })
    },
  }
}
