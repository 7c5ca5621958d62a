import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { acquireBackupLock } from '@reeve/db'
import { withStrace } from '../faults/support/strace.ts'
import { BINARY, runReeve, startServer } from '../support/program.ts'
import { type BackupFixture, type BackupReport, listAccounts, openBackupFixture } from './backups.ts'

/** Automatic backups. */
const WITH_BACKUPS = { REEVE_BACKUP_EVERY: '24h' }

let fixture: BackupFixture
beforeEach(async () => {
  fixture = await openBackupFixture()
})
afterEach(() => fixture.folder.remove())

describe('a backup', () => {
  test('is a verified copy next to the data folder with a checksum, readable by its owner only, of a stopped and a running instance', async () => {
    for (const running of [null, await startServer({ dataDir: fixture.folder.data })]) {
      const made = await fixture.createBackup()
      await running?.stop()
      expect(made.file).toStartWith(`${fixture.backupsDir}/reeve-`)
      expect(made).toMatchObject({
        holds: { workspaces: 1, accounts: 1, records: 0 },
        faults: [],
        removed: [],
      })
      expect(listAccounts(made.file)).toEqual(['robin'])
      expect([statSync(fixture.backupsDir).mode & 0o777, statSync(made.file).mode & 0o777]).toEqual([
        0o700, 0o600,
      ])
      const { exitCode } = await Bun.$`sha256sum -c ${made.file}.sha256`
        .cwd(fixture.backupsDir)
        .quiet()
        .nothrow()
      expect(exitCode).toBe(0)
      expect(readdirSync(fixture.backupsDir).filter((name) => name.startsWith('.'))).toEqual([])
    }
  })

  test('prints progress to standard error and the result to standard output', async () => {
    const { exitCode, out, err } = await fixture.run(['backup'])
    expect(exitCode).toBe(0)
    expect(err).toMatch(/^Copying \d+ MiB to .*\nVerifying the copy\n$/)
    expect(out).toContain('Created and verified backup')
  })

  test('removes the oldest backups of the same instance only', async () => {
    const otherFile = join(fixture.backupsDir, 'reeve-000000-20200101T000000000Z.db')
    mkdirSync(fixture.backupsDir, { mode: 0o700 })
    writeFileSync(otherFile, 'of another instance')
    const first = await fixture.createBackup()
    const second = await fixture.createBackup()
    const third = await fixture.createBackup('--keep', '2')
    expect(third.removed).toEqual([first.file])
    expect(readdirSync(fixture.backupsDir).sort()).toEqual(
      [otherFile, second.file, `${second.file}.sha256`, third.file, `${third.file}.sha256`]
        .map((path) => path.slice(fixture.backupsDir.length + 1))
        .sort(),
    )
    expect((await fixture.createBackup('--keep', '0')).removed).toEqual([])
  })

  test('can be written to a named file and never overwrites an existing one', async () => {
    const to = join(fixture.folder.path, 'mine.db')
    expect((await fixture.createBackup('--to', to)).file).toBe(to)
    const before = readFileSync(to)
    const { exitCode, err } = await fixture.run(['backup', '--to', to])
    expect(exitCode).toBe(1)
    expect(err).toContain('already exists')
    expect(readFileSync(to).equals(before)).toBe(true)
    expect((await fixture.findings()).failedFindings).toEqual([])
    expect((await fixture.run(['backup', '--to', to, '--keep', '3'])).exitCode).toBe(2)
  })

  test('removes the partial files of a killed backup and of a killed drill', async () => {
    const { file } = await fixture.createBackup()
    const [, tag] = /^reeve-(\w{6})-/.exec(basename(file)) ?? []
    const partial = join(fixture.backupsDir, `.reeve-${tag}-20200101T000000000Z.db.partial`)
    const orphan = join(fixture.backupsDir, `reeve-${tag}-20200101T000000000Z.db.sha256`)
    mkdirSync(partial, { mode: 0o700 })
    for (const path of [join(partial, 'copy.db'), orphan]) writeFileSync(path, 'half')
    writeFileSync(join(partial, 'lock'), '')
    const scratch = join(fixture.backupsDir, '.verify')
    mkdirSync(scratch, { mode: 0o700 })
    writeFileSync(join(scratch, 'reeve.db.incoming'), 'half')
    await fixture.createBackup()
    expect([partial, orphan, scratch].map((path) => existsSync(path))).toEqual([false, false, false])
  })

  test('of an instance with faults is created with exit status 1, and no older backup is removed', async () => {
    const completeBackup = await fixture.createBackup()
    fixture.executeSql("update audit set actor_name = 'nobody' where action = 'api_keys.create'")
    const { exitCode, out } = await fixture.run(['backup', '--keep', '1', '--json'])
    const { faults, file } = JSON.parse(out) as BackupReport
    expect(exitCode).toBe(1)
    expect(faults).toHaveLength(1)
    expect(existsSync(completeBackup.file) && existsSync(file)).toBe(true)
    expect((await fixture.findings()).failedFindings.map(({ check }) => check)).toEqual(['audit', 'backup'])
  })

  test('that cannot be written names the folder, and the doctor reports the failure until a backup succeeds', async () => {
    writeFileSync(fixture.backupsDir, 'in the way')
    const { exitCode, err } = await fixture.run(['backup'])
    expect(exitCode).toBe(1)
    expect(err).toContain(`Backups cannot be written to ${fixture.backupsDir}`)
    expect(await fixture.findings()).toMatchObject({
      exitCode: 1,
      failedFindings: [{ check: 'backup', verdict: 'fault' }],
    })
    rmSync(fixture.backupsDir)
    await fixture.createBackup()
    expect(await fixture.findings()).toEqual({ exitCode: 0, failedFindings: [] })
  })

  test('whose copy cannot be synced to the disk fails, and leaves no file', async () => {
    const failing = withStrace(
      ['-qq', '-o', '/dev/null', '-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO'],
      BINARY,
    )
    const { exitCode, err } = await runReeve(['backup'], { dataDir: fixture.folder.data, program: failing })
    expect(exitCode, err).toBe(1)
    expect(err).toContain('EIO')
    expect(readdirSync(fixture.backupsDir).filter((name) => name.includes('reeve-'))).toEqual([])
  })

  test('is refused during another backup, for a newer database, and without an instance', async () => {
    const lock = acquireBackupLock(fixture.folder.data)
    expect((await fixture.run(['backup'])).err).toContain('Another backup')
    lock.release()
    expect((await fixture.run(['backup'], {}, join(fixture.folder.path, 'nowhere'))).err).toContain(
      'no instance',
    )
    fixture.executeSql("insert into migration (name, applied_at) values ('9999-later', 0)")
    expect((await fixture.run(['backup'])).err).toContain('newer Reeve')
    expect(existsSync(fixture.backupsDir)).toBe(false)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'and a restore are refused for a user other than the one that runs the server',
    async () => {
      const { file } = await fixture.createBackup()
      chownSync(join(fixture.folder.data, 'reeve.db'), 65_534, 65_534)
      for (const args of [['backup'], ['restore', '--from', file]]) {
        const { exitCode, err } = await fixture.run(args)
        expect(exitCode).toBe(1)
        expect(err).toContain('Run this command as that user')
      }
    },
  )
})

describe('automatic backups', () => {
  test('start immediately if the last backup is overdue, are logged, and do not repeat before the interval has passed', async () => {
    const env = {
      REEVE_BACKUP_EVERY: '24h',
      REEVE_BACKUP_DIR: join(fixture.folder.path, 'kept'),
      REEVE_BACKUP_KEEP: '2',
    }
    const first = await startServer({ dataDir: fixture.folder.data, env })
    const { file } = await first.waitForLog((line) => line.msg === 'backup')
    expect(String(file)).toStartWith(join(fixture.folder.path, 'kept/reeve-'))
    expect(await first.stop()).toBe(0)
    const second = await startServer({ dataDir: fixture.folder.data, env })
    await fixture.createBackup()
    expect(await second.stop()).toBe(0)
    expect(second.log.some((line) => line.msg === 'backup')).toBe(false)
    expect(await fixture.findings(env)).toEqual({ exitCode: 0, failedFindings: [] })
  })

  test('repeat while the server runs', async () => {
    const running = await startServer({
      dataDir: fixture.folder.data,
      env: { REEVE_BACKUP_EVERY: '1s', REEVE_BACKUP_KEEP: '1' },
    })
    await running.waitForLog((line) => line.msg === 'backup' && (line.removed as string[]).length > 0)
    expect(await running.stop()).toBe(0)
    expect(readdirSync(fixture.backupsDir).filter((name) => name.endsWith('.db'))).toHaveLength(1)
  })

  test('log a failure as an error that the doctor reports, while the server keeps answering requests', async () => {
    writeFileSync(fixture.backupsDir, 'in the way')
    const running = await startServer({ dataDir: fixture.folder.data, env: { REEVE_BACKUP_EVERY: '1h' } })
    const { level, problem } = await running.waitForLog((line) => line.msg === 'backup failed')
    expect(level).toBe('error')
    expect(problem).toContain('cannot be written to')
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    expect((await fixture.findings()).failedFindings).toMatchObject([{ check: 'backup', verdict: 'fault' }])
    expect(await running.stop()).toBe(0)
  })
})

describe('the doctor', () => {
  const DAY = 86_400_000
  const lastBackup = (ago: number) =>
    writeFileSync(
      join(fixture.folder.data, 'last-backup.json'),
      JSON.stringify({ made: { at: Date.now() - ago, file: '/gone.db' }, failed: null }),
    )

  test('warns of an old backup, and reports a fault if an automatic backup is overdue', async () => {
    lastBackup(6 * DAY)
    expect((await fixture.findings()).failedFindings).toEqual([])
    expect((await fixture.findings(WITH_BACKUPS)).failedFindings).toMatchObject([
      { check: 'backup', verdict: 'fault' },
    ])
    lastBackup(8 * DAY)
    expect((await fixture.findings()).failedFindings).toMatchObject([{ check: 'backup', verdict: 'warning' }])
  })

  test('warns of an instance without a backup at once, or when its first automatic one is missing', async () => {
    const readBackupWarnings = async (env = {}) =>
      (await fixture.findings(env)).failedFindings.filter(({ check }) => check === 'backup')
    const noBackups = {
      check: 'backup',
      verdict: 'warning',
      found: expect.stringContaining('There is no backup'),
    }
    rmSync(join(fixture.folder.data, 'last-backup.json'), { force: true })
    expect(await readBackupWarnings()).toMatchObject([noBackups])
    fixture.executeSql(`update migration set applied_at = ${Date.now()}`)
    expect(await readBackupWarnings(WITH_BACKUPS)).toEqual([])
    fixture.executeSql(`update migration set applied_at = ${Date.now() - 2 * DAY}`)
    expect(await readBackupWarnings(WITH_BACKUPS)).toMatchObject([noBackups])
  })

  test('finds a clock that is behind the newest change', async () => {
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(join(fixture.folder.data, 'reeve.db'), later, later)
    expect(await fixture.findings(WITH_BACKUPS)).toMatchObject({
      exitCode: 1,
      failedFindings: [{ check: 'clock', verdict: 'fault' }],
    })
  })

  test.skipIf(process.getuid?.() !== 0)(
    'finds files that are not owned by the owner of the database',
    async () => {
      chownSync(join(fixture.folder.data, 'reeve.lock'), 65_534, 65_534)
      const { failedFindings } = await fixture.findings(WITH_BACKUPS)
      expect(failedFindings).toMatchObject([{ check: 'folder', verdict: 'fault' }])
      expect(failedFindings[0]?.found).toContain('reeve.lock')
    },
  )
})
