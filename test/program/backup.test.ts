import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { takeBackupLock } from '@reeve/db'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { type Ended, reeve, serve } from '../support/program.ts'

const PASSWORD = 'a long enough secret'
const INIT = ['init', '--username', 'robin', '--password-stdin', '--group-name', 'Owls', '--key-name', 'k']

let folder: TemporaryFolder
let backups: string
beforeEach(async () => {
  folder = temporaryFolder()
  backups = `${folder.data}-backups`
  await reeve(INIT, { dataDir: folder.data, stdin: PASSWORD })
})
afterEach(() => folder.remove())

const run = (args: string[], env: Record<string, string> = {}, dataDir = folder.data): Promise<Ended> =>
  reeve(args, { dataDir, env })

interface Made {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly takenAt: string
  readonly holds: { workspaces: number; accounts: number; records: number }
  readonly faults: string[]
  readonly removed: string[]
}

async function makeBackup(...args: string[]): Promise<Made> {
  const { exitCode, out, err } = await run(['backup', ...args, '--json'])
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return JSON.parse(out) as Made
}

/** Adds an account, so that the folder holds something that an earlier backup does not. */
const addAccount = (username: string) =>
  reeve(['user', 'create', '--username', username, '--password-stdin'], {
    dataDir: folder.data,
    stdin: PASSWORD,
  })

function accountsIn(file: string): string[] {
  const engine = new Database(file, { readonly: true })
  const names = engine
    .prepare<{ username: string }, []>('select username from account order by username')
    .all()
  engine.close()
  return names.map(({ username }) => username)
}
const accounts = (): string[] => accountsIn(join(folder.data, 'reeve.db'))

/** Changes the database behind the program's back. */
function tamper(sql: string, file = join(folder.data, 'reeve.db')): void {
  const engine = new Database(file)
  engine.run(sql)
  engine.close()
}

const findings = async (env: Record<string, string> = {}) => {
  const { out, exitCode } = await run(['doctor', '--json'], env)
  const { findings: all } = JSON.parse(out) as {
    findings: { check: string; verdict: string; found: string }[]
  }
  return { exitCode, unwell: all.filter(({ verdict }) => verdict !== 'ok') }
}

describe('a backup', () => {
  test('is a checked copy beside the data folder, for its owner alone, with its checksum, stopped and running', async () => {
    for (const running of [null, await serve({ dataDir: folder.data })]) {
      const made = await makeBackup()
      await running?.stop()
      expect(made.file).toStartWith(`${backups}/reeve-`)
      expect(made).toMatchObject({
        holds: { workspaces: 1, accounts: 1, records: 0 },
        faults: [],
        removed: [],
      })
      expect(accountsIn(made.file)).toEqual(['robin'])
      expect([statSync(backups).mode & 0o777, statSync(made.file).mode & 0o777]).toEqual([0o700, 0o600])
      const { exitCode } = await Bun.$`sha256sum -c ${made.file}.sha256`.cwd(backups).quiet().nothrow()
      expect(exitCode).toBe(0)
      expect(readdirSync(backups).filter((name) => name.startsWith('.'))).toEqual([])
    }
  })

  test('tells on standard error what it does, and on standard output what it did', async () => {
    const { exitCode, out, err } = await run(['backup'])
    expect(exitCode).toBe(0)
    expect(err).toMatch(/^Copying \d+ MiB to .*\nChecking the copy\n$/)
    expect(out).toContain('has been checked')
  })

  test('makes room by removing the oldest of this instance, and of no other', async () => {
    const other = join(backups, 'reeve-000000-20200101T000000000Z.db')
    mkdirSync(backups)
    writeFileSync(other, 'of another instance')
    const first = await makeBackup()
    const second = await makeBackup()
    const third = await makeBackup('--keep', '2')
    expect(third.removed).toEqual([first.file])
    expect(readdirSync(backups).sort()).toEqual(
      [other, second.file, `${second.file}.sha256`, third.file, `${third.file}.sha256`]
        .map((path) => path.slice(backups.length + 1))
        .sort(),
    )
    expect((await makeBackup('--keep', '0')).removed).toEqual([])
  })

  test('goes to a named file, and never over one that is there', async () => {
    const to = join(folder.path, 'mine.db')
    expect((await makeBackup('--to', to)).file).toBe(to)
    const before = readFileSync(to)
    const { exitCode, err } = await run(['backup', '--to', to])
    expect(exitCode).toBe(1)
    expect(err).toContain('is there already')
    expect(readFileSync(to).equals(before)).toBe(true)
    expect((await findings()).unwell).toEqual([])
    expect((await run(['backup', '--to', to, '--keep', '3'])).exitCode).toBe(2)
  })

  test('clears away what one that was killed left', async () => {
    const { file } = await makeBackup()
    const [, tag] = /reeve-(\w{6})-/.exec(file) ?? []
    const partial = join(backups, `.reeve-${tag}-20200101T000000000Z.db.partial`)
    const orphan = join(backups, `reeve-${tag}-20200101T000000000Z.db.sha256`)
    for (const path of [partial, orphan]) writeFileSync(path, 'half')
    await makeBackup()
    expect([existsSync(partial), existsSync(orphan)]).toEqual([false, false])
  })

  test('of an instance with faults is made, told of with exit code 1, and no older one makes room for it', async () => {
    const whole = await makeBackup()
    tamper("update audit set actor_name = 'nobody' where action = 'api_keys.create'")
    const { exitCode, out } = await run(['backup', '--keep', '1', '--json'])
    const { faults, file } = JSON.parse(out) as Made
    expect(exitCode).toBe(1)
    expect(faults).toHaveLength(1)
    expect(existsSync(whole.file) && existsSync(file)).toBe(true)
    expect((await findings()).unwell.map(({ check }) => check)).toEqual(['audit', 'backup'])
  })

  test('that cannot be written says where to, and the doctor tells of it until one is made', async () => {
    writeFileSync(backups, 'in the way')
    const { exitCode, err } = await run(['backup'])
    expect(exitCode).toBe(1)
    expect(err).toContain(`Backups cannot be written to ${backups}`)
    expect(await findings()).toMatchObject({ exitCode: 1, unwell: [{ check: 'backup', verdict: 'fault' }] })
    rmSync(backups)
    await makeBackup()
    expect(await findings()).toEqual({ exitCode: 0, unwell: [] })
  })

  test('is refused while another is made, of a newer database, and where there is no instance', async () => {
    const lock = takeBackupLock(folder.data)
    expect((await run(['backup'])).err).toContain('Another backup')
    lock.release()
    expect((await run(['backup'], {}, join(folder.path, 'nowhere'))).err).toContain('no instance')
    tamper("insert into migration (name, applied_at) values ('9999-later', 0)")
    expect((await run(['backup'])).err).toContain('newer Reeve')
    expect(existsSync(backups)).toBe(false)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'and a restore are refused to another user than the one that runs the server',
    async () => {
      const { file } = await makeBackup()
      chownSync(join(folder.data, 'reeve.db'), 65_534, 65_534)
      for (const args of [['backup'], ['restore', '--from', file]]) {
        const { exitCode, err } = await run(args)
        expect(exitCode).toBe(1)
        expect(err).toContain('run this as that user')
      }
    },
  )
})

describe('a restore', () => {
  test('brings back what was, keeps what it took the place of, and says both', async () => {
    const { file } = await makeBackup()
    await addAccount('later')
    const { exitCode, out, err } = await run(['restore', '--from', file, '--json'])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const { keptAside, holds, newestChange } = JSON.parse(out)
    expect(accounts()).toEqual(['robin'])
    expect(accountsIn(keptAside)).toEqual(['later', 'robin'])
    expect(holds).toEqual({ workspaces: 1, accounts: 1, records: 0 })
    expect(newestChange).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(statSync(join(folder.data, 'reeve.db')).mode & 0o777).toBe(0o600)
    const running = await serve({ dataDir: folder.data })
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    expect(await running.stop()).toBe(0)
    expect((await findings()).unwell).toEqual([])
    // The way back is the same way.
    expect((await run(['restore', '--from', keptAside])).exitCode).toBe(0)
    expect(accounts()).toEqual(['later', 'robin'])
  })

  test('into a fresh folder makes an instance of it', async () => {
    const { file } = await makeBackup()
    const fresh = join(folder.path, 'deep/fresh')
    const { exitCode, out } = await run(['restore', '--from', file], {}, fresh)
    expect(exitCode).toBe(0)
    expect(out).not.toContain('is kept as')
    expect(accountsIn(join(fresh, 'reeve.db'))).toEqual(['robin'])
    expect(readdirSync(fresh)).toContain('instance.json')
    expect(statSync(fresh).mode & 0o077).toBe(0)
  })

  test('with --check only says what the backup holds', async () => {
    const { file } = await makeBackup()
    await addAccount('later')
    const fresh = join(folder.path, 'fresh')
    const { exitCode, out, err } = await run(['restore', '--from', file, '--check'], {}, fresh)
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'Nothing was changed.\n' })
    expect(err).toContain('It holds 1 workspace, 1 account, 0 moderation records; its newest change is of')
    expect(existsSync(fresh)).toBe(false)
  })

  test('is refused while a server holds the folder', async () => {
    const { file } = await makeBackup()
    const running = await serve({ dataDir: folder.data })
    const { exitCode, err } = await run(['restore', '--from', file])
    expect(exitCode).toBe(1)
    expect(err).toContain(`Another Reeve process is using ${folder.data}`)
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    await running.stop()
  })

  test('of what cannot be trusted is refused with a sentence, and nothing is changed', async () => {
    const { file } = await makeBackup()
    await addAccount('later')
    const copyOf = (name: string, alter: (path: string) => void, checksum = false): string => {
      const path = join(folder.path, name)
      copyFileSync(file, path)
      if (checksum) copyFileSync(`${file}.sha256`, `${path}.sha256`)
      alter(path)
      return path
    }
    const cases: [string, string][] = [
      [join(folder.path, 'nowhere.db'), 'There is no file'],
      [backups, 'is no file'],
      [copyOf('longer.db', (path) => appendFileSync(path, 'x'), true), 'is not as it was made'],
      [copyOf('half.db', (path) => writeFileSync(path, readFileSync(path).subarray(0, 100_000))), 'half.db'],
      [
        copyOf('none.db', (path) => writeFileSync(path, 'no database at all '.repeat(1000))),
        'not a database',
      ],
      [copyOf('other.db', (path) => tamper('drop table migration', path)), 'no database of Reeve'],
      [copyOf('live.db', (path) => writeFileSync(`${path}-wal`, 'log')), 'a copied data folder'],
      [
        copyOf('newer.db', (path) => tamper("insert into migration values ('9999-later', 0)", path)),
        'newer Reeve',
      ],
      [copyOf('faulty.db', (path) => tamper("update audit set actor_name = 'x'", path)), '--with-faults'],
    ]
    for (const [from, says] of cases) {
      const { exitCode, err } = await run(['restore', '--from', from])
      expect({ from, exitCode, says: err.includes(says) ? says : err }).toEqual({ from, exitCode: 1, says })
    }
    expect(accounts()).toEqual(['later', 'robin'])
    expect(readdirSync(folder.data).filter((name) => /before|incoming/.test(name))).toEqual([])
    const faulty = join(folder.path, 'faulty.db')
    expect((await run(['restore', '--from', faulty, '--with-faults'])).exitCode).toBe(0)
    expect(accounts()).toEqual(['robin'])
  })

  test('takes the place of a damaged and of a lost database', async () => {
    const { file } = await makeBackup()
    const database = join(folder.data, 'reeve.db')
    const damaged = 'not a database any more '.repeat(1000)
    writeFileSync(database, damaged)
    writeFileSync(`${database}-wal`, 'its log')
    const { exitCode, out } = await run(['restore', '--from', file, '--json'])
    expect(exitCode).toBe(0)
    const { keptAside } = JSON.parse(out)
    expect(readFileSync(keptAside, 'utf8')).toBe(damaged)
    expect(readFileSync(`${keptAside}-wal`, 'utf8')).toBe('its log')
    expect(accounts()).toEqual(['robin'])
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
    expect((await run(['user', 'list'])).err).toContain('reeve restore --from')
    expect((await run(['restore', '--from', file])).exitCode).toBe(0)
    expect(accounts()).toEqual(['robin'])
  })
})

describe('the schedule of a server', () => {
  test('makes a backup at once where the last one is long ago, logs it, and not again until it is due', async () => {
    const env = {
      REEVE_BACKUP_EVERY: '24h',
      REEVE_BACKUP_DIR: join(folder.path, 'kept'),
      REEVE_BACKUP_KEEP: '2',
    }
    const first = await serve({ dataDir: folder.data, env })
    const { file } = await first.logged((line) => line.msg === 'backup')
    expect(String(file)).toStartWith(join(folder.path, 'kept/reeve-'))
    expect(await first.stop()).toBe(0)
    const second = await serve({ dataDir: folder.data, env })
    await makeBackup()
    expect(await second.stop()).toBe(0)
    expect(second.log.some((line) => line.msg === 'backup')).toBe(false)
    expect(await findings(env)).toEqual({ exitCode: 0, unwell: [] })
  })

  test('goes on for as long as the server runs', async () => {
    const running = await serve({
      dataDir: folder.data,
      env: { REEVE_BACKUP_EVERY: '1s', REEVE_BACKUP_KEEP: '1' },
    })
    await running.logged((line) => line.msg === 'backup' && (line.removed as string[]).length > 0)
    expect(await running.stop()).toBe(0)
    expect(readdirSync(backups).filter((name) => name.endsWith('.db'))).toHaveLength(1)
  })

  test('logs a failure as an error, the doctor shows it, and calls are answered all the same', async () => {
    writeFileSync(backups, 'in the way')
    const running = await serve({ dataDir: folder.data, env: { REEVE_BACKUP_EVERY: '1h' } })
    const { level, problem } = await running.logged((line) => line.msg === 'backup failed')
    expect(level).toBe('error')
    expect(problem).toContain('cannot be written to')
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    expect((await findings()).unwell).toMatchObject([{ check: 'backup', verdict: 'fault' }])
    expect(await running.stop()).toBe(0)
  })
})

describe('the doctor', () => {
  const DAY = 86_400_000
  const lastBackup = (ago: number) =>
    writeFileSync(
      join(folder.data, 'last-backup.json'),
      JSON.stringify({ made: { at: Date.now() - ago, file: '/gone.db' }, failed: null }),
    )

  test('warns of a backup that is old, and finds fault where the server should have made another', async () => {
    lastBackup(6 * DAY)
    expect((await findings()).unwell).toEqual([])
    expect((await findings({ REEVE_BACKUP_EVERY: '24h' })).unwell).toMatchObject([
      { check: 'backup', verdict: 'fault' },
    ])
    lastBackup(8 * DAY)
    expect((await findings()).unwell).toMatchObject([{ check: 'backup', verdict: 'warning' }])
  })

  test('warns of an instance that never had a backup, once it is a day old', async () => {
    tamper(`update migration set applied_at = ${Date.now() - 2 * DAY}`)
    expect((await findings()).unwell).toMatchObject([{ check: 'backup', verdict: 'warning' }])
  })

  test('finds a clock that is behind what was written', async () => {
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(join(folder.data, 'reeve.db'), later, later)
    expect(await findings()).toMatchObject({ exitCode: 1, unwell: [{ check: 'clock', verdict: 'fault' }] })
  })

  test.skipIf(process.getuid?.() !== 0)(
    'finds files that belong to another user than the database',
    async () => {
      chownSync(join(folder.data, 'reeve.lock'), 65_534, 65_534)
      const { unwell } = await findings()
      expect(unwell).toMatchObject([{ check: 'folder', verdict: 'fault' }])
      expect(unwell[0]?.found).toContain('reeve.lock')
    },
  )
})
