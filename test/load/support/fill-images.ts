import { Database as Engine } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_IMAGE_BYTES } from '@reeve/core'

const ROWS_PER_TRANSACTION = 50

/** Adds images of the maximum size, which do not compress, until the database of a data folder has a size in bytes. */
export function fillWithImages(dataDir: string, bytes: number): void {
  const file = join(dataDir, 'reeve.db')
  const engine = new Engine(file)
  engine.run('PRAGMA synchronous = OFF')
  const insert = engine.prepare(
    "insert into media (hash, extension, content_type, bytes, created_at) values (?, 'png', 'image/png', ?, ?)",
  )
  const image = new Uint8Array(MAX_IMAGE_BYTES)
  const addImages = engine.transaction(() => {
    for (let row = 0; row < ROWS_PER_TRANSACTION; row++) {
      for (let start = 0; start < image.length; start += 65_536)
        crypto.getRandomValues(image.subarray(start, start + 65_536))
      insert.run(createHash('sha256').update(image).digest('hex'), image, Date.now())
    }
  })
  while (statSync(file).size < bytes) {
    addImages()
    engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  engine.close()
}
