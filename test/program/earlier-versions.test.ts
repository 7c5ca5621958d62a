import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations, openDataFolder } from '@reeve/db'
import { type Access, readContent, type SavedRead, startFolder } from '../data-folders/content.ts'
import { runReeve } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const FOLDERS = join(import.meta.dir, '../data-folders')
const versions = readdirSync(FOLDERS).filter((name) => /^\d+\.\d+\.\d+$/.test(name))

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

/** Unpacks the data folder of a version. @returns the responses that its server gave */
function unpack(version: string): { access: Access; reads: SavedRead[] } {
  const source = join(FOLDERS, version)
  mkdirSync(folder.data, { mode: 0o700 })
  const database = Bun.zstdDecompressSync(readFileSync(join(source, 'reeve.db.zst')))
  writeFileSync(join(folder.data, 'reeve.db'), database, { mode: 0o600 })
  writeFileSync(join(folder.data, 'instance.json'), readFileSync(join(source, 'instance.json')))
  return JSON.parse(readFileSync(join(source, 'reads.json'), 'utf8'))
}

test('there is a data folder of the first release', () => {
  expect(versions).toContain('1.0.0')
})

/** The schema of the database in a data folder. */
function readSchema(dataFolder: string): unknown[] {
  const engine = new Database(join(dataFolder, 'reeve.db'), { readonly: true })
  try {
    return engine.query('select type, name, tbl_name, sql from sqlite_master order by type, name').all()
  } finally {
    engine.close()
  }
}

test('the migration of the first release still creates the same schema', async () => {
  unpack('1.0.0')
  const created = join(folder.path, 'created')
  const { database } = await openDataFolder(created, Date.now, migrations.slice(0, 1))
  await database.close()
  expect(readSchema(created)).toEqual(readSchema(folder.data))
})

describe.each(versions)('a data folder of version %s', (version) => {
  test('opens with everything that it contains, and without a fault', async () => {
    const { access, reads } = unpack(version)
    const server = await startFolder(folder.data)
    const readsNow = await readContent(server, access)
    await server.stop()
    for (const [index, { path, body }] of reads.entries()) {
      expect({ path, body: readsNow[index]?.body }).toMatchObject({ path, body } as object)
    }
    await runReeve(['backup'], { dataDir: folder.data })
    const { out } = await runReeve(['doctor', '--json'], { dataDir: folder.data })
    const { findings } = JSON.parse(out) as { findings: { verdict: string }[] }
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  })
})
