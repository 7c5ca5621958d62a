import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineName } from '../support/engine.ts'
import { openSecretSearch, type SecretSearch } from './secret-search.ts'
import { useEverySecret } from './secret-uses.ts'
import { readDatabase } from './stored-values.ts'

setDefaultTimeout(240_000)

/** Backups, and the files of the data folder. PostgreSQL has backups of its own. */
async function addFiles({ addPlace, folder, run }: SecretSearch): Promise<void> {
  const backup = await run(['backup', '--to', join(folder.path, 'backup.db'), '--local', '--json'])
  expect(backup.exitCode, backup.err).toBe(0)
  for (const file of readdirSync(folder.data)) {
    if (/^reeve\.db/.test(file)) addPlace(`data/${file}`, readFileSync(join(folder.data, file)))
  }
  addPlace('the values of the database', readDatabase(join(folder.data, 'reeve.db')))
  addPlace('the values of the backup', readDatabase(join(folder.path, 'backup.db')))
  addPlace('the backup', readFileSync(join(folder.path, 'backup.db')))
}

test.each<[EngineName, readonly string[]]>([
  ['SQLite', ['the values of the database', 'the values of the backup', 'the archive']],
  ['PostgreSQL', ['the values of the database', 'the archive']],
])(
  'on %s, no secret is found in the log, the metrics, backups, archives, audit rows, errors or the output of commands',
  async (engine, readable) => {
    const search = await openSecretSearch(engine)
    const { run, places, server, unreachableDatabase } = search
    try {
      await useEverySecret(search)
      for (const format of [[], ['--json']]) {
        await run(['doctor', ...format])
        await run(['config', 'check', ...format])
        await run(['user', 'list', ...format])
        // The upload of the backup fails, for nothing listens at the bucket. On PostgreSQL, the command is refused.
        await run(['backup', '--to', join(search.folder.path, 'another.db'), ...format])
      }
      // A start that fails prints why: nothing listens at the database, and the port is not one.
      await run(['doctor'], unreachableDatabase)
      await run(['config', 'check'], unreachableDatabase)
      await run(['serve', '--port', '0'], unreachableDatabase)
      await run(['serve', '--port', 'none'])
      if (engine === 'SQLite') await addFiles(search)
      expect(await search.crash()).toBe(1)
      await search.addTraces()
      // The crash was logged, and is among what is searched.
      expect(JSON.stringify(server.log)).toContain('planted crash')
      expect(server.log.length).toBeGreaterThan(30)
      expect(places.length).toBeGreaterThan(60)
      // What is no secret is found in the same places, so the search reads them.
      const found = search.findLeaks({ name: 'Night Shift', user: 'kim' })
      for (const place of readable)
        expect(
          found.filter((leak) => leak.startsWith(place)),
          place,
        ).not.toEqual([])
      expect(search.findLeaks()).toEqual([])
    } finally {
      await search.close()
    }
  },
)
