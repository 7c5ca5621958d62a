import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { serve } from '../support/program.ts'
import { accountsIn, type Backups, openBackups } from './backups.ts'

let at: Backups
beforeEach(async () => {
  at = await openBackups()
})
afterEach(() => at.folder.remove())

describe('a restore', () => {
  test('brings back what was, keeps what it took the place of, and says both', async () => {
    const { file } = await at.makeBackup()
    await at.addAccount('later')
    const { exitCode, out, err } = await at.run(['restore', '--from', file, '--json'])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const { keptAside, holds, newestChange } = JSON.parse(out)
    expect(at.accounts()).toEqual(['robin'])
    expect(accountsIn(keptAside)).toEqual(['later', 'robin'])
    expect(holds).toEqual({ workspaces: 1, accounts: 1, records: 0 })
    expect(newestChange).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(statSync(join(at.folder.data, 'reeve.db')).mode & 0o777).toBe(0o600)
    const running = await serve({ dataDir: at.folder.data })
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    expect(await running.stop()).toBe(0)
    expect((await at.findings()).unwell).toEqual([])
    // The way back is the same way.
    expect((await at.run(['restore', '--from', keptAside])).exitCode).toBe(0)
    expect(at.accounts()).toEqual(['later', 'robin'])
  })

  test('into a fresh folder makes an instance of it', async () => {
    const { file } = await at.makeBackup()
    const fresh = join(at.folder.path, 'deep/fresh')
    const { exitCode, out } = await at.run(['restore', '--from', file], {}, fresh)
    expect(exitCode).toBe(0)
    expect(out).not.toContain('is kept as')
    expect(accountsIn(join(fresh, 'reeve.db'))).toEqual(['robin'])
    expect(readdirSync(fresh)).toContain('instance.json')
    expect(statSync(fresh).mode & 0o077).toBe(0)
  })

  test('with --check only says what the backup holds', async () => {
    const { file } = await at.makeBackup()
    await at.addAccount('later')
    const fresh = join(at.folder.path, 'fresh')
    const { exitCode, out, err } = await at.run(['restore', '--from', file, '--check'], {}, fresh)
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'Nothing was changed.\n' })
    expect(err).toContain('It holds 1 workspace, 1 account, 0 moderation records; its newest change is of')
    expect(existsSync(fresh)).toBe(false)
  })

  test('is refused while a server holds the folder', async () => {
    const { file } = await at.makeBackup()
    const running = await serve({ dataDir: at.folder.data })
    const { exitCode, err } = await at.run(['restore', '--from', file])
    expect(exitCode).toBe(1)
    expect(err).toContain(`Another Reeve process is using ${at.folder.data}`)
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    await running.stop()
  })

  test('of what cannot be trusted is refused with a sentence, and nothing is changed', async () => {
    const { file } = await at.makeBackup()
    await at.addAccount('later')
    const copyOf = (name: string, alter: (path: string) => void, checksum = false): string => {
      const path = join(at.folder.path, name)
      copyFileSync(file, path)
      if (checksum) copyFileSync(`${file}.sha256`, `${path}.sha256`)
      alter(path)
      return path
    }
    const cases: [string, string][] = [
      [join(at.folder.path, 'nowhere.db'), 'There is no file'],
      [at.backups, 'is no file'],
      [copyOf('longer.db', (path) => appendFileSync(path, 'x'), true), 'is not as it was made'],
      [copyOf('half.db', (path) => writeFileSync(path, readFileSync(path).subarray(0, 100_000))), 'half.db'],
      [
        copyOf('none.db', (path) => writeFileSync(path, 'no database at all '.repeat(1000))),
        'not a database',
      ],
      [copyOf('other.db', (path) => at.tamper('drop table migration', path)), 'no database of Reeve'],
      [copyOf('live.db', (path) => writeFileSync(`${path}-wal`, 'log')), 'a copied data folder'],
      [
        copyOf('newer.db', (path) => at.tamper("insert into migration values ('9999-later', 0)", path)),
        'newer Reeve',
      ],
      [copyOf('faulty.db', (path) => at.tamper("update audit set actor_name = 'x'", path)), '--with-faults'],
    ]
    for (const [from, says] of cases) {
      const { exitCode, err } = await at.run(['restore', '--from', from])
      expect({ from, exitCode, says: err.includes(says) ? says : err }).toEqual({ from, exitCode: 1, says })
    }
    expect(at.accounts()).toEqual(['later', 'robin'])
    expect(readdirSync(at.folder.data).filter((name) => /before|incoming/.test(name))).toEqual([])
    const faulty = join(at.folder.path, 'faulty.db')
    expect((await at.run(['restore', '--from', faulty, '--with-faults'])).exitCode).toBe(0)
    expect(at.accounts()).toEqual(['robin'])
  })

  test('takes the place of a damaged and of a lost database', async () => {
    const { file } = await at.makeBackup()
    const database = join(at.folder.data, 'reeve.db')
    const damaged = 'not a database any more '.repeat(1000)
    writeFileSync(database, damaged)
    writeFileSync(`${database}-wal`, 'its log')
    const { exitCode, out } = await at.run(['restore', '--from', file, '--json'])
    expect(exitCode).toBe(0)
    const { keptAside } = JSON.parse(out)
    expect(readFileSync(keptAside, 'utf8')).toBe(damaged)
    expect(readFileSync(`${keptAside}-wal`, 'utf8')).toBe('its log')
    expect(at.accounts()).toEqual(['robin'])
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
    expect((await at.run(['user', 'list'])).err).toContain('reeve restore --from')
    expect((await at.run(['restore', '--from', file])).exitCode).toBe(0)
    expect(at.accounts()).toEqual(['robin'])
  })
})
