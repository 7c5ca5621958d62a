import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Access, SavedRead } from './content.ts'

/**
 * Unpacks the data folder of a version.
 * @returns the responses that its server gave
 */
export function unpackFolder(version: string, dataDir: string): { access: Access; reads: SavedRead[] } {
  const source = join(import.meta.dir, version)
  mkdirSync(dataDir, { mode: 0o700 })
  const database = Bun.zstdDecompressSync(readFileSync(join(source, 'reeve.db.zst')))
  writeFileSync(join(dataDir, 'reeve.db'), database, { mode: 0o600 })
  writeFileSync(join(dataDir, 'instance.json'), readFileSync(join(source, 'instance.json')))
  return JSON.parse(readFileSync(join(source, 'reads.json'), 'utf8'))
}
