import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BINARY, startServer } from '../support/program.ts'
import { type OffsiteFixture, openOffsiteFixture, PREFIX, toUrl } from './offsite-fixture.ts'
import { request, signIn } from './replicas.ts'

// A test runs several commands or retries.
setDefaultTimeout(60_000)

/** What retries of a request that keeps failing take, with a margin for a busy machine. */
const RETRIES_MS = 60_000

let fixture: OffsiteFixture
beforeEach(async () => {
  fixture = await openOffsiteFixture()
})
afterEach(() => fixture.close())

describe('a backup', () => {
  test('is uploaded encrypted, and the doctor reports it', async () => {
    expect(await fixture.findOffsite()).toBe('warning: No backup was uploaded to the bucket yet.')
    const { exitCode, report } = await fixture.backUp()
    const [name = ''] = fixture.listObjects()
    expect({ exitCode, offsite: report.offsite }).toMatchObject({
      exitCode: 0,
      offsite: { object: toUrl(name), removed: [], problem: null },
    })
    expect(name).toMatch(/^backups\/reeve-[0-9a-f]{6}-\d{8}T\d{9}Z\.db\.enc$/)
    const object = Buffer.from((await fixture.store.objects.get(name)?.bytes()) ?? [])
    const local = readFileSync(report.file)
    expect([local.includes('robin'), object.includes('robin'), object.includes('SQLite')]).toEqual([
      true,
      false,
      false,
    ])
    expect(object.length).toBeLessThan(local.length / 10)
    expect(await fixture.findOffsite()).toBe(`ok: The last uploaded backup is 0 hours old: ${toUrl(name)}.`)
    fixture.store.objects.clear()
    expect(await fixture.findOffsite()).toContain('does not contain the last uploaded backup')
  })

  test('is uploaded to a store that cannot list unfinished uploads', async () => {
    fixture.store.addFault({
      matches: (request, url) => request.method === 'GET' && url.searchParams.has('uploads'),
      behavior: 'unsupported',
      times: 100,
    })
    const { exitCode, report } = await fixture.backUp()
    expect({ exitCode, problem: report.offsite.problem }).toEqual({ exitCode: 0, problem: null })
  })

  test('is not uploaded with --local', async () => {
    const { exitCode, out } = await fixture.run(['backup', '--local', '--json'])
    expect([exitCode, JSON.parse(out).offsite, fixture.store.requests]).toEqual([0, null, []])
  })

  test('removes the oldest ones of the same instance from the bucket, as from the folder', async () => {
    const foreign = `${PREFIX}reeve-aaaaaa-20200101T000000000Z.db.enc`
    await fixture.putObject(foreign, Buffer.from('of another instance'))
    await fixture.putObject(`${PREFIX}notes.txt`, Buffer.from('something else'))
    for (let count = 0; count < 5; count++) await fixture.backUp({ REEVE_BACKUP_KEEP: '3' })
    const local = readdirSync(fixture.backupsDir).filter((name) => name.endsWith('.db'))
    expect(local).toHaveLength(3)
    expect(fixture.listObjects()).toEqual(
      [foreign, `${PREFIX}notes.txt`, ...local.map((name) => `${PREFIX}${name}.enc`)].sort(),
    )
    const { report } = await fixture.backUp({ REEVE_BACKUP_KEEP: '3', REEVE_BACKUP_S3_KEEP: '1' })
    expect(report.offsite.removed).toHaveLength(3)
    expect(report.removed).toHaveLength(1)
    expect(fixture.listObjects()).toHaveLength(3)
  }, 60_000)

  test('whose name is in the future is the first that is removed, from the folder and the bucket', async () => {
    await fixture.backUp()
    const future = await fixture.moveToFuture()
    const kept = await fixture.backUp()
    const { report } = await fixture.backUp({ REEVE_BACKUP_KEEP: '2' })
    expect([report.removed, report.offsite.removed]).toEqual([
      [join(fixture.backupsDir, future)],
      [toUrl(`${PREFIX}${future}.enc`)],
    ])
    expect(fixture.listObjects()).toEqual(
      [kept.report, report].map(({ file }) => `${PREFIX}${basename(file)}.enc`),
    )
  })

  test('of an instance with faults is uploaded, and no older one is removed', async () => {
    await fixture.backUp({ REEVE_BACKUP_KEEP: '1' })
    fixture.executeSql("update audit set actor_name = 'x'")
    const { exitCode, report } = await fixture.backUp({ REEVE_BACKUP_KEEP: '1' })
    expect({ exitCode, problem: report.offsite.problem }).toEqual({ exitCode: 1, problem: null })
    expect(fixture.listObjects()).toHaveLength(2)
  })
})

describe('a failed upload', () => {
  test(
    'leaves the local backup, says what to do, and is reported until one succeeds',
    async () => {
      fixture.store.setBehavior('failing')
      const { exitCode, report } = await fixture.backUp()
      expect(exitCode).toBe(1)
      expect(existsSync(report.file)).toBe(true)
      expect(report.offsite.problem).toMatch(
        /could not be uploaded to s3:\/\/images\/backups\/reeve-.*: POST returned status 503 SlowDown\. Check the store/,
      )
      fixture.store.setBehavior('ok')
      expect(await fixture.findOffsite()).toMatch(/^fault: The upload of the backup at .* failed \(/)
      const wrongKey = await fixture.backUp({ REEVE_BACKUP_S3_ACCESS_KEY_ID: 'another' })
      expect(wrongKey.report.offsite.problem).toContain('Check REEVE_BACKUP_S3_ACCESS_KEY_ID')
      const noBucket = await fixture.backUp({ REEVE_BACKUP_S3_BUCKET: 'another' })
      expect(noBucket.report.offsite.problem).toContain('NoSuchBucket. Create the bucket')
      for (const { report } of [wrongKey, noBucket])
        expect(JSON.stringify(report)).not.toContain(fixture.store.settings.secretAccessKey)
      expect((await fixture.backUp()).exitCode).toBe(0)
      expect(await fixture.findOffsite()).toStartWith('ok: ')
    },
    RETRIES_MS,
  )

  test(
    'is not reported any more once the server runs without a bucket',
    async () => {
      fixture.store.setBehavior('failing')
      await fixture.backUp()
      const running = await startServer({ dataDir: fixture.folder.data })
      const { cookie } = await signIn(running)
      const health = await request(running, 'GET', '/admin/api/instance', { headers: { cookie } })
      expect(health.body.instance.backup).toMatchObject({ verdict: 'ok' })
      const { exitCode, failedFindings } = await fixture.findings()
      expect(failedFindings.filter(({ check }) => check === 'offsite')).toEqual([])
      expect(exitCode).toBe(0)
      expect(await running.stop()).toBe(0)
    },
    RETRIES_MS,
  )

  test('that was killed is reported, and the next one deletes what it left in the bucket', async () => {
    const isPart = (request: Request, url: URL) =>
      request.method === 'PUT' && url.searchParams.has('partNumber')
    const arrived = Promise.withResolvers<void>()
    const endFault = fixture.store.addFault({
      matches(request, url) {
        if (isPart(request, url)) arrived.resolve()
        return isPart(request, url)
      },
      behavior: 'stalled',
      times: 1,
    })
    const child = Bun.spawn([...BINARY, 'backup'], {
      env: { ...process.env, ...fixture.env, REEVE_DATA_DIR: fixture.folder.data },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await arrived.promise
    child.kill('SIGKILL')
    await child.exited
    endFault()
    expect(fixture.store.unfinished()).toHaveLength(1)
    expect(await fixture.findOffsite()).toContain('it was interrupted')
    expect((await fixture.backUp()).exitCode).toBe(0)
    expect(fixture.store.unfinished()).toEqual([])
    expect(fixture.listObjects()).toHaveLength(1)
  })

  test(
    'to delete older backups is reported, although the backup was uploaded',
    async () => {
      await fixture.backUp({ REEVE_BACKUP_KEEP: '1' })
      fixture.store.addFault({
        matches: (request) => request.method === 'DELETE',
        behavior: 'failing',
        times: 100,
      })
      const { exitCode, report } = await fixture.backUp({ REEVE_BACKUP_KEEP: '1' })
      expect(exitCode).toBe(1)
      expect(report.offsite).toMatchObject({
        object: expect.stringMatching(/^s3:/),
        problem: expect.stringContaining('older objects could not be deleted: DELETE returned status 503'),
      })
      expect(fixture.listObjects()).toHaveLength(2)
    },
    RETRIES_MS,
  )
})

test(
  'the server uploads automatic backups, logs a failed upload as an error, and keeps answering requests',
  async () => {
    fixture.store.addFault({ matches: (request) => request.method === 'POST', behavior: 'failing', times: 5 })
    const running = await startServer({
      dataDir: fixture.folder.data,
      env: { ...fixture.env, REEVE_BACKUP_EVERY: '1s' },
      program: BINARY,
    })
    const failure = await running.waitForLog((line) => line.msg === 'backup upload failed')
    expect(failure).toMatchObject({ level: 'error', problem: expect.stringContaining('Check the store') })
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    const { object } = await running.waitForLog((line) => line.msg === 'backup' && line.object !== undefined)
    expect(await running.stop()).toBe(0)
    expect(fixture.listObjects().map(toUrl)).toContain(String(object))
    const secrets = [fixture.store.settings.secretAccessKey, readFileSync(fixture.keyFile, 'utf8').trim()]
    for (const secret of secrets) expect(JSON.stringify(running.log)).not.toContain(secret)
  },
  RETRIES_MS,
)

describe('the settings', () => {
  test('must be complete, and the server does not start otherwise', async () => {
    const cases: [Record<string, string>, string][] = [
      [
        { REEVE_BACKUP_S3_REGION: '' },
        'REEVE_BACKUP_S3_REGION is missing. The other settings of the backup bucket',
      ],
      [{ REEVE_BACKUP_KEY_FILE: '' }, 'REEVE_BACKUP_KEY_FILE is missing. Backups are encrypted'],
      [{ REEVE_BACKUP_PASSPHRASE: 'a passphrase of several words' }, 'are both set'],
      [{ REEVE_BACKUP_KEY_FILE: '', REEVE_BACKUP_PASSPHRASE: 'short' }, 'must have at least 16 characters'],
      [{ REEVE_BACKUP_KEY_FILE: '/nowhere/key' }, 'does not exist. Create one with `reeve backup create-key'],
    ]
    for (const [changes, message] of cases) {
      for (const command of ['backup', 'serve']) {
        const { exitCode, err } = await fixture.run([command], changes)
        expect({ command, exitCode, message: err.includes(message) ? message : err }).toEqual({
          ...{ command, exitCode: 2, message },
        })
      }
    }
    expect(fixture.store.requests).toEqual([])
  }, 60_000)

  test('can be checked without a backup, and secrets can be in files', async () => {
    const { settings } = fixture.store
    const label = `the bucket ${settings.bucket} at ${settings.endpoint.origin} with 0 backups (REEVE_BACKUP_S3_BUCKET)`
    const checked = await fixture.run(['config', 'check', '--connect', '--json'])
    expect([checked.exitCode, JSON.parse(checked.out).connected]).toEqual([0, [label]])
    const wrongKey = { REEVE_BACKUP_S3_ACCESS_KEY_ID: 'another' }
    const refused = await fixture.run(['config', 'check', '--connect'], wrongKey)
    expect([refused.exitCode, refused.out]).toEqual([
      2,
      expect.stringContaining('REEVE_BACKUP_S3_BUCKET: GET returned status 403'),
    ])
    const writeSecret = (name: string, text: string): string => {
      const path = join(fixture.folder.path, name)
      writeFileSync(path, `${text}\n`, { mode: 0o600 })
      return path
    }
    const { exitCode } = await fixture.backUp({
      REEVE_BACKUP_S3_SECRET_ACCESS_KEY: '',
      REEVE_BACKUP_S3_SECRET_ACCESS_KEY_FILE: writeSecret('secret', settings.secretAccessKey),
      REEVE_BACKUP_KEY_FILE: '',
      REEVE_BACKUP_PASSPHRASE_FILE: writeSecret('passphrase', 'correct horse battery staple'),
    })
    expect(exitCode).toBe(0)
  })

  test('name a key that only its owner can read, which is never replaced', async () => {
    expect(statSync(fixture.keyFile).mode & 0o777).toBe(0o600)
    const content = readFileSync(fixture.keyFile, 'utf8')
    const again = await fixture.run(['backup', 'create-key', '--file', fixture.keyFile])
    expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining('A key is never replaced')])
    expect(readFileSync(fixture.keyFile, 'utf8')).toBe(content)
    for (const mode of [0o640, 0o604]) {
      chmodSync(fixture.keyFile, mode)
      const { exitCode, err } = await fixture.run(['backup'])
      expect([exitCode, err]).toEqual([2, expect.stringContaining(`Run \`chmod 600 ${fixture.keyFile}\``)])
    }
  })

  test('have no effect with PostgreSQL, whose own tools make backups', async () => {
    const onServer = { REEVE_DATABASE_URL: 'postgres://127.0.0.1:1/reeve' }
    for (const args of [
      ['backup'],
      ['backup', 'list'],
      ['backup', 'verify'],
      ['restore', '--from', 'latest'],
    ]) {
      const { exitCode, err } = await fixture.run(args, onServer)
      expect([args, exitCode, err]).toEqual([
        args,
        1,
        expect.stringContaining('Use a PostgreSQL tool, such as pg_'),
      ])
    }
    const { out } = await fixture.run(['doctor'], onServer)
    expect(out).toContain('REEVE_BACKUP_S3_BUCKET has no effect when the data is in PostgreSQL')
    mkdirSync(fixture.backupsDir, { recursive: true, mode: 0o700 })
    expect(readdirSync(fixture.backupsDir)).toEqual([])
  })
})
