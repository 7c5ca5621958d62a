import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../support/program.ts'
import { type BackupFixture, listAccounts, openBackupFixture } from './backups.ts'

let fixture: BackupFixture
beforeEach(async () => {
  fixture = await openBackupFixture()
})
afterEach(() => fixture.folder.remove())

describe('a restore', () => {
  test('restores the backup, keeps the old database, and prints both', async () => {
    const { file } = await fixture.createBackup()
    await fixture.addAccount('later')
    const { exitCode, out, err } = await fixture.run(['restore', '--from', file, '--json'])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const { keptAside, holds, newestChange } = JSON.parse(out)
    expect(fixture.accounts()).toEqual(['robin'])
    expect(listAccounts(keptAside)).toEqual(['later', 'robin'])
    expect(holds).toEqual({ workspaces: 1, accounts: 1, records: 0 })
    expect(newestChange).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(statSync(join(fixture.folder.data, 'reeve.db')).mode & 0o777).toBe(0o600)
    const running = await startServer({ dataDir: fixture.folder.data })
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    expect(await running.stop()).toBe(0)
    expect((await fixture.findings()).failedFindings).toMatchObject([
      { check: 'restore', verdict: 'warning' },
    ])
    // The old database can be restored the same way.
    expect((await fixture.run(['restore', '--from', keptAside])).exitCode).toBe(0)
    expect(fixture.accounts()).toEqual(['later', 'robin'])
  })

  test('into a folder without an instance names the folder, and needs --create', async () => {
    const { file } = await fixture.createBackup()
    const fresh = join(fixture.folder.path, 'deep/fresh')
    const refused = await fixture.run(['restore', '--from', file], {}, fresh)
    expect(refused.exitCode).toBe(1)
    expect(refused.err).toContain(`${fresh} contains no instance; nothing was changed.`)
    expect(existsSync(fresh)).toBe(false)
    const { exitCode, out, err } = await fixture.run(['restore', '--from', file, '--create'], {}, fresh)
    expect(err).toContain(`Restoring to ${fresh}`)
    expect(exitCode).toBe(0)
    expect(out).not.toContain('is kept as')
    expect(listAccounts(join(fresh, 'reeve.db'))).toEqual(['robin'])
    expect(readdirSync(fresh)).toContain('instance.json')
    expect(statSync(fresh).mode & 0o077).toBe(0)
  })

  test('with --check only summarizes the backup', async () => {
    const { file } = await fixture.createBackup()
    await fixture.addAccount('later')
    const fresh = join(fixture.folder.path, 'fresh')
    const { exitCode, out, err } = await fixture.run(['restore', '--from', file, '--check'], {}, fresh)
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'Nothing was changed.\n' })
    expect(err).toContain(
      'The backup contains 1 workspace, 1 account, 0 moderation records; the newest change was at',
    )
    expect(existsSync(fresh)).toBe(false)
  })

  test('is refused while a server runs', async () => {
    const { file } = await fixture.createBackup()
    const running = await startServer({ dataDir: fixture.folder.data })
    const { exitCode, err } = await fixture.run(['restore', '--from', file])
    expect(exitCode).toBe(1)
    expect(err).toContain(`Another Reeve process is using ${fixture.folder.data}`)
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    await running.stop()
  })

  test('of an invalid backup is refused with the reason, and nothing is changed', async () => {
    const { file } = await fixture.createBackup()
    await fixture.addAccount('later')
    const copyBackup = (name: string, modify: (path: string) => void, checksum = false): string => {
      const path = join(fixture.folder.path, name)
      copyFileSync(file, path)
      if (checksum) copyFileSync(`${file}.sha256`, `${path}.sha256`)
      modify(path)
      return path
    }
    const cases: [string, string][] = [
      [join(fixture.folder.path, 'nowhere.db'), 'does not exist'],
      [fixture.backupsDir, 'is not a file'],
      [
        copyBackup('longer.db', (path) => appendFileSync(path, 'x'), true),
        'has changed since it was created',
      ],
      [
        copyBackup('half.db', (path) => writeFileSync(path, readFileSync(path).subarray(0, 100_000))),
        'half.db is damaged or not a backup: ',
      ],
      [
        copyBackup('none.db', (path) => writeFileSync(path, 'no database at all '.repeat(1000))),
        'none.db is damaged or not a backup: file is not a database. Nothing was changed. Choose another backup',
      ],
      [
        copyBackup('other.db', (path) => fixture.executeSql('drop table migration', path)),
        'not a Reeve database',
      ],
      [copyBackup('live.db', (path) => writeFileSync(`${path}-wal`, 'log')), 'a copied data folder'],
      [
        copyBackup('newer.db', (path) =>
          fixture.executeSql("insert into migration values ('9999-later', 0)", path),
        ),
        'newer Reeve',
      ],
      [
        copyBackup('faulty.db', (path) => fixture.executeSql("update audit set actor_name = 'x'", path)),
        '--with-faults',
      ],
    ]
    for (const [from, message] of cases) {
      const { exitCode, err } = await fixture.run(['restore', '--from', from])
      expect({ from, exitCode, message: err.includes(message) ? message : err }).toEqual({
        from,
        exitCode: 1,
        message,
      })
    }
    expect(fixture.accounts()).toEqual(['later', 'robin'])
    expect(readdirSync(fixture.folder.data).filter((name) => /before|incoming/.test(name))).toEqual([])
    const faulty = join(fixture.folder.path, 'faulty.db')
    expect((await fixture.run(['restore', '--from', faulty, '--with-faults'])).exitCode).toBe(0)
    expect(fixture.accounts()).toEqual(['robin'])
  })

  test('that was killed in a folder without an instance is repeated, and nothing starts there before', async () => {
    const { file } = await fixture.createBackup()
    const fresh = join(fixture.folder.path, 'fresh')
    mkdirSync(fresh, { mode: 0o700 })
    for (const suffix of ['', '-journal']) writeFileSync(join(fresh, `reeve.db.incoming${suffix}`), 'half')
    const { exitCode, err } = await fixture.run(['serve', '--port', '0'], {}, fresh)
    expect([exitCode, err]).toEqual([
      1,
      expect.stringContaining(`A restore to ${fresh} was interrupted. Repeat it`),
    ])
    expect((await fixture.run(['restore', '--from', file, '--create'], {}, fresh)).exitCode).toBe(0)
    expect(listAccounts(join(fresh, 'reeve.db'))).toEqual(['robin'])
    expect(readdirSync(fresh).sort()).toEqual(['instance.json', 'reeve.db', 'reeve.lock'])
  })

  test('replaces a damaged and a missing database', async () => {
    const { file } = await fixture.createBackup()
    const database = join(fixture.folder.data, 'reeve.db')
    const damaged = 'not a database any more '.repeat(1000)
    writeFileSync(database, damaged)
    writeFileSync(`${database}-wal`, 'its log')
    const { exitCode, out } = await fixture.run(['restore', '--from', file, '--json'])
    expect(exitCode).toBe(0)
    const { keptAside } = JSON.parse(out)
    expect(readFileSync(keptAside, 'utf8')).toBe(damaged)
    expect(readFileSync(`${keptAside}-wal`, 'utf8')).toBe('its log')
    expect(fixture.accounts()).toEqual(['robin'])
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
    expect((await fixture.run(['user', 'list'])).err).toContain('reeve restore --from')
    expect((await fixture.run(['restore', '--from', file])).exitCode).toBe(0)
    expect(fixture.accounts()).toEqual(['robin'])
  })
})
