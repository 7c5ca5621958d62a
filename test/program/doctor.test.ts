import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { PASSWORD } from '../support/instance.ts'
import { BINARY, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, runInFolder } from './commands.ts'

interface DoctorReport {
  readonly healthy: boolean
  readonly findings: { check: string; verdict: string; found: string; advice: string | null }[]
}

let folder: TemporaryFolder

beforeEach(async () => {
  folder = temporaryFolder()
  await runInFolder(folder, INIT_ARGS, PASSWORD)
})
afterEach(() => folder.remove())

/** Automatic backups, whose first one is not due yet: the only way for a new instance to have no warning. */
const WITH_BACKUPS = { REEVE_BACKUP_EVERY: '24h' }

/** Runs the doctor. @returns the exit status, and the findings that are not ok */
async function runDoctor(env: Record<string, string> = {}) {
  const { exitCode, out } = await runReeve(['doctor', '--json'], {
    dataDir: folder.data,
    env: { ...WITH_BACKUPS, ...env },
  })
  const { healthy, findings } = JSON.parse(out) as DoctorReport
  const failedFindings = findings.filter(({ verdict }) => verdict !== 'ok')
  return { exitCode, healthy, failedFindings }
}

/** Changes the database without Reeve. */
function executeSql(...statements: string[]): void {
  const engine = new Database(join(folder.data, 'reeve.db'))
  engine.run('PRAGMA foreign_keys = OFF')
  for (const sql of statements) engine.run(sql)
  engine.close()
}

test('a new instance is healthy, both stopped and running', async () => {
  expect(await runDoctor()).toEqual({ exitCode: 0, healthy: true, failedFindings: [] })
  const running = await startServer({ dataDir: folder.data, env: WITH_BACKUPS })
  expect(await runDoctor()).toEqual({ exitCode: 0, healthy: true, failedFindings: [] })
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  expect(await running.stop()).toBe(0)
})

test('the backup interval of the running server counts, and not that of the shell', async () => {
  const running = await startServer({ dataDir: folder.data, env: WITH_BACKUPS })
  expect(await runDoctor({ REEVE_BACKUP_EVERY: '' })).toMatchObject({ exitCode: 0, failedFindings: [] })
  expect(await running.stop()).toBe(0)
})

test('the doctor changes no files', async () => {
  const runCheck = () =>
    readdirSync(folder.data)
      .filter((name) => !/-(shm|wal)$/.test(name))
      .map((name) => [
        name,
        statSync(join(folder.data, name)).mtimeMs,
        statSync(join(folder.data, name)).size,
      ])
  const before = runCheck()
  await runDoctor()
  expect(runCheck()).toEqual(before)
})

test('a changed, a deleted and a truncated audit log row are found', async () => {
  const changes: readonly [sql: string, checks: readonly string[]][] = [
    ["update audit set actor_name = 'nobody' where action = 'api_keys.create'", ['audit']],
    ["delete from audit where action = 'workspaces.create'", ['audit']],
    // The key itself is still there.
    ["delete from audit where action = 'api_keys.create'", ['audit', 'resources']],
  ]
  for (const [sql, checks] of changes) {
    const copy = temporaryFolder()
    await Bun.$`cp -r ${folder.data} ${copy.data}`.quiet()
    const engine = new Database(join(copy.data, 'reeve.db'))
    engine.run(sql)
    engine.close()
    const { exitCode, out } = await runReeve(['doctor', '--json'], { dataDir: copy.data })
    const { findings } = JSON.parse(out) as DoctorReport
    const faults = findings.filter(({ verdict }) => verdict === 'fault')
    expect({ sql, exitCode, checks: faults.map(({ check }) => check) }).toEqual({
      sql,
      exitCode: 1,
      checks: [...checks],
    })
    copy.remove()
  }
})

test('a dangling reference is found', async () => {
  executeSql('update member set account_id = zeroblob(16)')
  const { exitCode, failedFindings } = await runDoctor()
  expect(exitCode).toBe(1)
  expect(failedFindings.map(({ check, verdict }) => ({ check, verdict }))).toEqual([
    { check: 'references', verdict: 'fault' },
    // The owner is missing, and the account that took the place has never joined.
    { check: 'resources', verdict: 'fault' },
    // The API key of the instance was created by the account that is no longer a member.
    { check: 'keys', verdict: 'warning' },
  ])
})

test.skipIf(process.getuid?.() !== 0)('another user is told which permission is missing', async () => {
  chmodSync(folder.path, 0o755)
  const program = join(folder.path, 'reeve')
  copyFileSync(BINARY[0], program)
  const { exitCode, out } = await runReeve(['doctor'], {
    dataDir: folder.data,
    cwd: '/',
    program: ['setpriv', '--reuid=65534', '--clear-groups', program],
  })
  expect(exitCode).toBe(1)
  expect(out).toContain(
    `Permission denied: this user does not have read and write permission for ${folder.data}.`,
  )
  expect(out).toContain('Run this command as the user that runs the server')
})

test('a damaged file is found, with advice to restore a backup', async () => {
  const file = openSync(join(folder.data, 'reeve.db'), 'r+')
  const size = statSync(join(folder.data, 'reeve.db')).size
  for (let offset = 8192; offset < size; offset += 4096)
    writeSync(file, Buffer.alloc(512, 0x5a), 0, 512, offset)
  const { exitCode, failedFindings } = await runDoctor()
  expect(exitCode).toBe(1)
  expect(failedFindings.some(({ check, verdict }) => check === 'database' && verdict === 'fault')).toBe(true)
  expect(failedFindings.at(-1)?.advice).toContain('backup')
})

test('a missing database is found and not created', async () => {
  for (const name of readdirSync(folder.data)) {
    if (name.startsWith('reeve.db')) rmSync(join(folder.data, name))
  }
  const { exitCode, failedFindings } = await runDoctor()
  expect(exitCode).toBe(1)
  expect(failedFindings.map(({ check }) => check)).toEqual(['database'])
  expect(readdirSync(folder.data)).not.toContain('reeve.db')
})

test('an empty file in place of the database is found, with advice to restore a backup', async () => {
  writeFileSync(join(folder.data, 'reeve.db'), '')
  const { exitCode, failedFindings } = await runDoctor()
  expect(exitCode).toBe(1)
  expect(failedFindings).toMatchObject([
    {
      check: 'database',
      found: expect.stringContaining('reeve.db is an empty file'),
      advice: expect.stringContaining('restore a backup'),
    },
  ])
  expect(statSync(join(folder.data, 'reeve.db')).size).toBe(0)
})

test('a folder without an instance is reported', async () => {
  rmSync(folder.data, { recursive: true })
  const { exitCode, failedFindings } = await runDoctor()
  expect(exitCode).toBe(1)
  expect(failedFindings).toMatchObject([{ check: 'folder', verdict: 'fault' }])
})

test('a folder that other users can access is a fault, one for its group a warning, with the command that fixes it', async () => {
  for (const [mode, verdict] of [
    [0o755, 'fault'],
    [0o750, 'warning'],
  ] as const) {
    chmodSync(folder.data, mode)
    const { exitCode, failedFindings } = await runDoctor()
    expect(exitCode).toBe(verdict === 'fault' ? 1 : 0)
    expect(failedFindings).toMatchObject([
      { check: 'folder', verdict, advice: `Run \`chmod 700 ${folder.data}\`.` },
    ])
  }
})

test('every setting that would abort startup is a fault', async () => {
  const { exitCode, failedFindings } = await runDoctor({ REEVE_PORT: 'x', REEVE_LOG_LEVEL: 'loud' })
  expect(exitCode).toBe(1)
  expect(failedFindings.map(({ check, verdict }) => ({ check, verdict }))).toEqual([
    { check: 'settings', verdict: 'fault' },
    { check: 'settings', verdict: 'fault' },
  ])
})

test('a newer database is a fault, and pending migrations are a warning', async () => {
  executeSql("insert into migration (name, applied_at) values ('9999-later', 0)")
  expect(await runDoctor()).toMatchObject({
    exitCode: 1,
    failedFindings: [{ check: 'schema', verdict: 'fault' }],
  })
  executeSql('delete from migration')
  expect(await runDoctor()).toMatchObject({
    exitCode: 0,
    failedFindings: [{ check: 'schema', verdict: 'warning' }],
  })
})

test('without --json every check has a line, and a fault has advice', async () => {
  executeSql('update member set account_id = zeroblob(16)')
  const { out, exitCode } = await runReeve(['doctor'], { dataDir: folder.data })
  expect(exitCode).toBe(1)
  for (const check of ['settings', 'folder', 'disk', 'schema', 'database', 'references', 'audit']) {
    expect(out).toContain(check)
  }
  expect(out).toContain('then restore a backup')
  expect(out.trimEnd()).toEndWith('Faults found: see above.')
})

test('passkeys that do not work for the public URL are reported with the hosts that they are for', async () => {
  executeSql(
    ...['localhost', 'old.example'].map(
      (host, index) =>
        `insert into passkey select id, x'0${index}', '${host}', '${host}', x'00', 0, '[]', 0, '', '${host}', 0, null, 0 from account`,
    ),
  )
  const findPasskeyProblem = async (publicUrl: string) => {
    const { healthy, failedFindings } = await runDoctor({ REEVE_PUBLIC_URL: publicUrl })
    expect(healthy).toBe(true)
    return failedFindings.find(({ check }) => check === 'passkeys')?.found
  }
  expect(await findPasskeyProblem('http://localhost:3000')).toBe(
    'The host of REEVE_PUBLIC_URL is localhost, where 1 passkey for old.example cannot be used.',
  )
  expect(await findPasskeyProblem('https://new.example')).toBe(
    'The host of REEVE_PUBLIC_URL is new.example, where 1 passkey for localhost, 1 passkey for old.example cannot be used.',
  )
  expect(await findPasskeyProblem('')).toContain('passkeys for localhost, old.example: they work only there.')
  executeSql("delete from passkey where rp_id = 'localhost'")
  expect(await findPasskeyProblem('https://old.example')).toBeUndefined()
  expect(await findPasskeyProblem('http://old.example')).toStartWith('Passkeys need HTTPS')
}, 60_000)
