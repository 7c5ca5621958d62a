import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrations, openDataFolder } from '@reeve/db'
import { readContent, signIn, startFolder } from '../data-folders/content.ts'
import { unpackFolder } from '../data-folders/unpack.ts'
import { runReeve } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { type JobBody, waitForJob } from '../support/workspace-jobs.ts'

const FOLDERS = join(import.meta.dir, '../data-folders')
const versions = readdirSync(FOLDERS).filter((name) => /^\d+\.\d+\.\d+$/.test(name))

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

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
  unpackFolder('1.0.0', folder.data)
  const created = join(folder.path, 'created')
  const { database } = await openDataFolder(created, { now: Date.now, migrations: migrations.slice(0, 1) })
  await database.close()
  expect(readSchema(created)).toEqual(readSchema(folder.data))
})

describe.each(versions)('a data folder of version %s', (version) => {
  test('opens with everything that it contains, and without a fault', async () => {
    const { access, reads } = unpackFolder(version, folder.data)
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

  test('has an archive that can be copied, and rolled back to', async () => {
    const { access } = unpackFolder(version, folder.data)
    const server = await startFolder(folder.data)
    const cookie = await signIn(server)
    const { workspaceId } = access
    const request = async (path: string, body?: object) => {
      const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
      const init = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${server.url}${path}`, { headers, ...init })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${text}`)
      return JSON.parse(text)
    }
    const restore = async (fields: object) => {
      const started = await request('/api/workspaces', fields)
      const job = await waitForJob(started, async (id) => [
        (await request(`/api/workspaces?id=${id}`)).job as JobBody,
      ])
      expect(job).toMatchObject({ state: 'succeeded' })
      return started
    }
    const readRecords = async (id: string) =>
      (await request(`/api/moderation?workspaceId=${id}`)).records.map(
        ({ workspaceId: _, appealCode: __, message: ___, ...record }: Record<string, string>) => record,
      )
    const records = await readRecords(workspaceId)
    const { archives } = await request(`/api/workspaces?archives=true&id=${workspaceId}`)
    const fromArchive = archives[0].id
    const copy = await restore({ fromArchive })
    expect(await readRecords(copy.workspace.id)).toEqual(records)
    const [banned] = records
    const lift = { action: 'revoke', id: banned.id, reason: 'Mistake' }
    await request('/api/moderation', { workspaceId, ...lift })
    await restore({ id: workspaceId, action: 'archive' })
    await restore({ id: workspaceId, fromArchive })
    expect(await readRecords(workspaceId)).toEqual(records)
    await server.stop()
  })
})
