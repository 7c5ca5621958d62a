import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath, openDataFolder } from '@reeve/db'
import { unpackFolder } from '../data-folders/unpack.ts'
import { runReeve } from '../support/program.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

// A test runs several commands.
setDefaultTimeout(60_000)

const probe = mountSmallDisk(1)
probe?.remove()

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

test('a damaged lock is reported as such, and not as another process', async () => {
  const { database } = await openDataFolder(folder.data, { now: Date.now })
  await database.close()
  for (const [lock, command] of [
    ['reeve.lock', 'user list'],
    ['backup.lock', 'backup'],
  ] as const) {
    writeFileSync(join(folder.data, lock), 'not empty', { mode: 0o600 })
    const { exitCode, err } = await runReeve(command.split(' '), { dataDir: folder.data })
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(`${lock} is damaged`) })
  }
})

describe.skipIf(probe === null)('on a full disk', () => {
  type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>
  let disk: SmallDisk
  const mount = (megabytes: number) => {
    disk = mountSmallDisk(megabytes) as SmallDisk
  }
  afterEach(() => disk.remove())

  test('a backup to another disk succeeds, and commands say that the disk is full', async () => {
    mount(4)
    unpackFolder('1.0.0', disk.data)
    expect(await runReeve(['migrate'], { dataDir: disk.data })).toMatchObject({ exitCode: 0 })
    // As after a crash: the files of SQLite next to the database exist.
    const other = new Database(databasePath(disk.data))
    other.query('select count(*) from account').get()
    disk.fill(disk.countFreeBytes())
    const backup = await runReeve(['backup', '--to', join(folder.path, 'a.db')], { dataDir: disk.data })
    expect(backup).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Created and verified backup'),
      err: expect.stringContaining(`The disk of ${disk.data} is full. The backup is complete`),
    })
    other.close()
    disk.fill(disk.countFreeBytes())
    const { exitCode, err } = await runReeve(['user', 'list'], { dataDir: disk.data })
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringContaining('The disk is full or fails'),
    })
  })

  test('an upgrade says that the disk is full, and succeeds once there is space', async () => {
    mount(4)
    unpackFolder('1.0.0', disk.data)
    disk.fill(disk.countFreeBytes() - 100 * 1024)
    const migrate = () => runReeve(['migrate'], { dataDir: disk.data })
    expect(await migrate()).toEqual({
      exitCode: 1,
      out: '',
      err: 'database or disk is full. Free up disk space, then try again.\n',
    })
    disk.free()
    expect(await migrate()).toMatchObject({ exitCode: 0, out: expect.stringContaining('Applied: ') })
  })

  test('a first start leaves no incomplete database', async () => {
    // Enough for the WAL of the schema, but not for the database as well.
    mount(2)
    await expect(openDataFolder(disk.data, { now: Date.now })).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(existsSync(databasePath(disk.data))).toBe(false)
  })
})
