import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { startServer } from '../support/program.ts'
import { listAccounts } from './backups.ts'
import { type OffsiteFixture, openOffsiteFixture, PREFIX, toUrl } from './offsite-fixture.ts'

// A test runs several commands or retries.
setDefaultTimeout(60_000)

let fixture: OffsiteFixture
beforeEach(async () => {
  fixture = await openOffsiteFixture()
  expect((await fixture.backUp()).exitCode).toBe(0)
})
afterEach(() => fixture.close())

const LATEST = `s3://images/${PREFIX}latest`

describe('a restore from the bucket', () => {
  test('restores the latest backup on a new machine, which has only the settings and the key', async () => {
    await fixture.addAccount('later')
    await fixture.backUp()
    rmSync(fixture.folder.data, { recursive: true })
    rmSync(fixture.backupsDir, { recursive: true })
    for (const from of ['latest', LATEST, toUrl(fixture.listObjects()[1] ?? '')]) {
      const target = join(fixture.folder.path, `new-${readdirSync(fixture.folder.path).length}`, 'data')
      const restored = await fixture.run(['restore', '--from', from, '--data-dir', target, '--create'])
      expect({ from, exitCode: restored.exitCode }).toEqual({ from, exitCode: 0 })
      expect(listAccounts(join(target, 'reeve.db'))).toEqual(['later', 'robin'])
      expect(readdirSync(target).sort()).toEqual(['instance.json', 'reeve.db', 'reeve.lock'])
      const running = await startServer({ dataDir: target })
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
      expect(await running.stop()).toBe(0)
    }
  })

  test('replaces the database of an instance, and keeps the old one', async () => {
    await fixture.addAccount('later')
    const [name = ''] = fixture.listObjects()
    const { exitCode, out } = await fixture.run(['restore', '--from', toUrl(name), '--json'])
    expect(exitCode).toBe(0)
    expect(fixture.accounts()).toEqual(['robin'])
    expect(listAccounts(JSON.parse(out).keptAside)).toEqual(['later', 'robin'])
    // A copy of the object on this machine, without any access to the bucket.
    const copy = join(fixture.folder.path, 'downloaded')
    await Bun.write(copy, fixture.store.objects.get(name) ?? '')
    const offline = { REEVE_BACKUP_S3_BUCKET: '', REEVE_BACKUP_S3_ENDPOINT: '' }
    const settings = Object.keys(fixture.env).filter((variable) => variable.includes('_S3_'))
    const withoutBucket = { ...offline, ...Object.fromEntries(settings.map((variable) => [variable, ''])) }
    expect((await fixture.run(['restore', '--from', copy], withoutBucket)).exitCode).toBe(0)
  })

  test('needs no offsite settings for a local backup, even if they are invalid', async () => {
    const [name = ''] = readdirSync(fixture.backupsDir)
    const from = join(fixture.backupsDir, name.replace('.sha256', ''))
    const { exitCode } = await fixture.run(['restore', '--from', from], { REEVE_BACKUP_KEY_FILE: '/nowhere' })
    expect(exitCode).toBe(0)
  })

  test('continues after its connection was cut', async () => {
    const proxy = await startCuttingProxy(fixture.store.settings.endpoint)
    proxy.cutNext('received', 1000)
    const throughProxy = { REEVE_BACKUP_S3_ENDPOINT: proxy.url.origin }
    const from = toUrl(fixture.listObjects()[0] ?? '')
    expect((await fixture.run(['restore', '--from', from], throughProxy)).exitCode).toBe(0)
    expect(proxy.remainingCuts()).toBe(0)
    await proxy.close()
  })

  test('with a passphrase instead of a key needs the same passphrase', async () => {
    const secret = { REEVE_BACKUP_KEY_FILE: '', REEVE_BACKUP_PASSPHRASE: 'correct horse battery staple' }
    expect((await fixture.backUp(secret)).exitCode).toBe(0)
    expect((await fixture.run(['restore', '--from', LATEST], secret)).exitCode).toBe(0)
    const other = { ...secret, REEVE_BACKUP_PASSPHRASE: 'correct horse battery stable' }
    const { exitCode, err } = await fixture.run(['restore', '--from', LATEST], other)
    expect([exitCode, err]).toEqual([1, expect.stringContaining('was encrypted with another passphrase')])
  })

  test('of a backup that cannot be read gives the reason in a sentence, and changes nothing on the disk', async () => {
    const [name = ''] = fixture.listObjects()
    const bytes = Buffer.from((await fixture.store.objects.get(name)?.bytes()) ?? [])
    const change = (at: number): Buffer => {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      return changed
    }
    const otherKey = { REEVE_BACKUP_KEY_FILE: fixture.writeKey('other.key') }
    const put = (label: string, content: Buffer) => fixture.putObject(`${PREFIX}${label}`, content)
    const cases: [string, string, Record<string, string>][] = [
      [toUrl(name), 'was encrypted with another key: that with the ID', otherKey],
      [await put('truncated.db.enc', bytes.subarray(0, -1)), 'is incomplete: it ends after', {}],
      [await put('half.db.enc', bytes.subarray(0, bytes.length / 2)), 'is incomplete: it ends after', {}],
      [await put('changed.db.enc', change(bytes.length - 1)), 'was changed or damaged: chunk ', {}],
      [await put('header.db.enc', change(60)), 'was changed or damaged: its header does not match', {}],
      [
        await put('plain.db.enc', Buffer.from('SQLite format 3\0')),
        'is not an encrypted backup of Reeve',
        {},
      ],
      [`s3://images/${PREFIX}missing.db.enc`, 'does not exist. `reeve backup list` shows what there is', {}],
      ['s3://another/latest', 'NoSuchBucket', {}],
      ['s3://images/empty/latest', 'There is no backup of this instance', {}],
      [toUrl(name), 'returned status 403 InvalidAccessKeyId', { REEVE_BACKUP_S3_ACCESS_KEY_ID: 'another' }],
    ]
    await fixture.run(['doctor'])
    const before = fixture.readFolder(fixture.folder.data)
    const fresh = join(fixture.folder.path, 'deep/fresh')
    for (const [from, message, changes] of cases) {
      for (const target of [[], ['--data-dir', fresh, '--create'], ['--check']]) {
        const { exitCode, err } = await fixture.run(['restore', '--from', from, ...target], changes)
        const expected = target.length === 3 ? message.replace(' of this instance', '') : message
        expect({ from, exitCode, error: err.includes(expected) ? expected : err }).toEqual({
          ...{ from, exitCode: 1, error: expected },
        })
        expect(err.trim().split('\n').at(-1)).not.toContain('Error:')
      }
      expect(existsSync(join(fixture.folder.path, 'deep'))).toBe(false)
      expect(Object.keys(fixture.readFolder(fixture.folder.data)).sort()).toEqual(Object.keys(before).sort())
      expect(fixture.readFolder(fixture.folder.data)).toEqual(before)
      expect(readdirSync(fixture.backupsDir)).not.toContain('.verify')
    }
  }, 120_000)

  test('is refused with faults, a URL that is none, and settings of no bucket', async () => {
    fixture.executeSql("update audit set actor_name = 'x'")
    await fixture.backUp()
    const faulty = await fixture.run(['restore', '--from', LATEST])
    expect([faulty.exitCode, faulty.err]).toEqual([1, expect.stringContaining('--with-faults')])
    expect((await fixture.run(['restore', '--from', LATEST, '--with-faults'])).exitCode).toBe(0)
    const noUrl = await fixture.run(['restore', '--from', 's3://'])
    expect([noUrl.exitCode, noUrl.err]).toEqual([2, expect.stringContaining('is not the URL of an object')])
    const settings = Object.keys(fixture.env).map((variable) => [variable, ''])
    const unset = await fixture.run(['restore', '--from', LATEST], Object.fromEntries(settings))
    expect([unset.exitCode, unset.err]).toEqual([2, expect.stringContaining('Set REEVE_BACKUP_S3_BUCKET')])
  })

  test('of latest is refused if it is not clear which instance is meant', async () => {
    const [name = ''] = fixture.listObjects()
    const other = name.replace(/reeve-[0-9a-f]{6}/, 'reeve-aaaaaa')
    await fixture.putObject(other, (await fixture.store.objects.get(name)?.bytes()) ?? new Uint8Array())
    const fresh = ['--data-dir', join(fixture.folder.path, 'fresh'), '--create']
    const { exitCode, err } = await fixture.run(['restore', '--from', LATEST, ...fresh])
    expect([exitCode, err]).toEqual([1, expect.stringContaining('contains backups of several instances')])
    expect((await fixture.run(['restore', '--from', LATEST])).exitCode).toBe(0)
  })
})

test('a backup whose name is in the future is latest only if there is no other, and every command names it', async () => {
  const future = await fixture.moveToFuture()
  const restoreLatest = (from: string) => fixture.run(['restore', '--from', from])
  expect((await restoreLatest('latest')).exitCode).toBe(0)
  await fixture.addAccount('later')
  await fixture.backUp()
  for (const from of ['latest', LATEST]) {
    const { exitCode, err } = await restoreLatest(from)
    expect([exitCode, err]).toEqual([0, expect.stringContaining(future)])
    expect(fixture.accounts()).toEqual(['later', 'robin'])
  }
  const { out } = await fixture.run(['backup', 'list', '--json'])
  const { backups, note } = JSON.parse(out) as { backups: { from: string }[]; note: string }
  expect(backups.map(({ from }) => from.includes(future))).toEqual([false, false, true, true])
  expect(note).toStartWith('The names of these backups are in the future: ')
  const { failedFindings } = await fixture.findings(fixture.env)
  for (const check of ['backup', 'offsite'])
    expect(failedFindings).toContainEqual(
      expect.objectContaining({ check, verdict: 'warning', found: expect.stringContaining(future) }),
    )
})

describe('the list of backups', () => {
  test('has those of the folder and the bucket, newest first, also while the bucket fails', async () => {
    await fixture.backUp()
    const { exitCode, out } = await fixture.run(['backup', 'list', '--json'])
    const { backups } = JSON.parse(out) as {
      backups: { place: string; from: string; takenAt: string; bytes: number }[]
    }
    expect(exitCode).toBe(0)
    expect(backups.map(({ place }) => place)).toEqual(['folder', 'bucket', 'folder', 'bucket'])
    expect(backups.map(({ takenAt }) => takenAt)).toEqual(
      backups
        .map(({ takenAt }) => takenAt)
        .sort()
        .reverse(),
    )
    expect(backups.every(({ bytes }) => bytes > 0)).toBe(true)
    fixture.store.setBehavior('failing')
    const failing = await fixture.run(['backup', 'list'])
    expect(failing.exitCode).toBe(1)
    expect(failing.out).toContain('folder')
    expect(failing.out).toContain('The bucket images could not be read: GET returned status 503 SlowDown.')
  }, 60_000)
})

describe('a drill', () => {
  test('restores the latest uploaded backup to a scratch folder, checks it, and removes the folder', async () => {
    await fixture.addAccount('later')
    await fixture.backUp()
    const before = fixture.readFolder(fixture.folder.data)
    const running = await startServer({ dataDir: fixture.folder.data })
    const { exitCode, out } = await fixture.run(['backup', 'verify', '--json'])
    await running.stop()
    const { from, healthy, holds, findings, durationMs } = JSON.parse(out)
    expect({ exitCode, from, healthy, holds }).toEqual({
      ...{ exitCode: 0, from: toUrl(fixture.listObjects()[1] ?? ''), healthy: true },
      holds: { workspaces: 1, accounts: 2, records: 0 },
    })
    expect(findings.map(({ check }: { check: string }) => check)).toContain('audit')
    expect(durationMs).toBeGreaterThan(0)
    expect(readdirSync(fixture.backupsDir)).not.toContain('.verify')
    expect(fixture.readFolder(fixture.folder.data)['instance.json']).toBe(before['instance.json'] ?? '')
    const { out: text } = await fixture.run([
      'backup',
      'verify',
      '--from',
      fixture.listObjects().map(toUrl)[0] ?? '',
    ])
    expect(text).toContain('1 workspace, 1 account, 0 moderation records; the newest change was at')
    expect(text).toMatch(/can be restored\. It took \d+\.\d s\.\n$/)
  })

  test('of a local backup needs no bucket, and finds one that was changed or is faulty', async () => {
    const { report } = await fixture.backUp()
    const settings = Object.fromEntries(Object.keys(fixture.env).map((variable) => [variable, '']))
    const latest = await fixture.run(['backup', 'verify', '--json'], settings)
    expect([latest.exitCode, JSON.parse(latest.out).from]).toEqual([0, report.file])
    fixture.executeSql("update audit set actor_name = 'x'", report.file)
    const changed = await fixture.run(['backup', 'verify', '--from', report.file])
    expect([changed.exitCode, changed.err]).toEqual([
      1,
      expect.stringContaining('has changed since it was created'),
    ])
    rmSync(`${report.file}.sha256`)
    const faulty = await fixture.run(['backup', 'verify', '--from', report.file])
    expect([faulty.exitCode, faulty.out]).toEqual([1, expect.stringContaining('has faults: see above')])
    expect(readdirSync(fixture.backupsDir)).not.toContain('.verify')
  })

  test('replaces what a killed one left, and fails on a backup that cannot be restored', async () => {
    const scratch = join(fixture.backupsDir, '.verify')
    await fixture.run(['restore', '--from', LATEST, '--data-dir', scratch, '--create'])
    // One that is killed in the middle has not yet marked the folder as that of an instance.
    rmSync(join(scratch, 'instance.json'))
    renameSync(join(scratch, 'reeve.db'), join(scratch, 'reeve.db.incoming'))
    expect(await fixture.run(['backup', 'verify'])).toMatchObject({ exitCode: 0 })
    expect(existsSync(scratch)).toBe(false)
    writeFileSync(join(fixture.folder.path, 'none.db'), 'no database at all '.repeat(1000))
    const none = join(fixture.folder.path, 'none.db')
    const { exitCode, err } = await fixture.run(['backup', 'verify', '--from', none])
    expect([exitCode, err]).toEqual([1, expect.stringContaining(`${none} is damaged or not a backup`)])
    expect(existsSync(scratch)).toBe(false)
  })
})
