import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import fs, { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../src/index.ts'
import {
  bytes,
  insertImage,
  listImages,
  lockFromOtherProcess,
  openScratch,
  queryFolder,
  removeScratch,
} from './scratch.ts'

afterAll(removeScratch)

const insert = (db: Database, hash: string) => db.write((tx) => tx.run(insertImage, { hash, bytes }))
const listHashes = async (db: Database) => (await db.read.all(listImages, {})).map(({ hash }) => hash)
const listHashesOnDisk = (folder: string) =>
  queryFolder<{ hash: string }>(folder, 'select hash from media order by hash').map(({ hash }) => hash)

/** The files of a folder that this process has open, from the kernel. */
const listOpenFiles = (folder: string): string[] =>
  readdirSync('/proc/self/fd')
    .map((number) => {
      try {
        return readlinkSync(`/proc/self/fd/${number}`)
      } catch {
        return ''
      }
    })
    .filter((path) => path.startsWith(`${folder}/`))

/** Starts two writes, and checks them while the second one runs. @returns whether the first one was committed without it */
async function isCommittedAlone(db: Database, folder: string, first: string, second: string) {
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let isResolved = false
  const firstWrite = insert(db, first).then(() => {
    isResolved = true
  })
  const secondWrite = db.write(async (tx) => {
    await tx.run(insertImage, { hash: second, bytes })
    reached.resolve()
    await gate.promise
  })
  await reached.promise
  const isFirstOnDisk = listHashesOnDisk(folder).includes(first)
  expect({ isResolved, isFirstOnDisk }).toEqual({ isResolved: isFirstOnDisk, isFirstOnDisk })
  gate.resolve()
  await Promise.all([firstWrite, secondWrite])
  expect(listHashesOnDisk(folder)).toContain(second)
  return isFirstOnDisk
}

/** Replaces the system call that waits for the disk. */
const replaceSync = (sync: (descriptor: number, done: fs.NoParamCallback) => void) =>
  spyOn(fs, 'fdatasync').mockImplementation(sync as unknown as typeof fs.fdatasync)

describe('a write', () => {
  test('does not resolve while another write of the same commit is running', async () => {
    const { db, folder } = await openScratch()
    let attempt = 0
    // A commit ends early if the machine was busy during the first write, which must be on disk then.
    while (await isCommittedAlone(db, folder, `first ${attempt}`, `second ${attempt}`)) attempt += 1
    await db.close()
  })

  test('is not seen by reads, and blocks none, until it is on the disk', async () => {
    const { db } = await openScratch()
    await insert(db, 'before')
    const sync = fs.fdatasync
    const reached = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const spy = replaceSync((descriptor, done) => {
      reached.resolve()
      gate.promise.then(() => sync(descriptor, done))
    })
    let isResolved = false
    const write = insert(db, 'during').then(() => {
      isResolved = true
    })
    await reached.promise
    expect({ isResolved, hashes: await listHashes(db) }).toEqual({ isResolved: false, hashes: ['before'] })
    gate.resolve()
    await write
    expect(await listHashes(db)).toEqual(['before', 'during'])
    spy.mockRestore()
    await db.close()
  })

  test('is unavailable and ends the process if the disk does not confirm it', async () => {
    const { db } = await openScratch()
    const spy = replaceSync((_descriptor, done) =>
      setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })),
    )
    const failure = await insert(db, 'lost').catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('may or may not') })
    expect(await db.fatalError).toMatchObject({ code: 'SQLITE_IOERR_FSYNC' })
    spy.mockRestore()
    expect(await insert(db, 'later').catch((error: unknown) => error)).toMatchObject({ code: 'unavailable' })
    await db.close()
  })
})

describe('while another program locks the file', () => {
  test('a write waits briefly', async () => {
    const { db, folder } = await openScratch()
    const other = await lockFromOtherProcess(folder, 30)
    await insert(db, 'late')
    expect(listHashesOnDisk(folder)).toEqual(['late'])
    await other.exited
    await db.close()
  })

  test('for long, a write is unavailable, and works once the lock is released', async () => {
    const { db, folder } = await openScratch()
    const other = await lockFromOtherProcess(folder, 60_000)
    await expect(insert(db, 'refused')).rejects.toMatchObject({ code: 'unavailable' })
    other.kill('SIGKILL')
    await other.exited
    await insert(db, 'later')
    expect(listHashesOnDisk(folder)).toEqual(['later'])
    await db.close()
  })
})

describe('a large WAL', () => {
  test('is checkpointed while the database is in use, and restarts', async () => {
    const { db, folder } = await openScratch()
    const getFileSize = (name: string) => Bun.file(join(folder, name)).size
    const large = new Uint8Array(1_000_000)
    const maxRows = 200
    let stored = 0
    let before = 0
    // A WAL that restarted is overwritten from its beginning, so its file does not grow.
    do {
      before = getFileSize('reeve.db-wal')
      await db.write((tx) => tx.run(insertImage, { hash: String(stored), bytes: large }))
      await listHashes(db)
      stored += 1
    } while (getFileSize('reeve.db-wal') > before && stored < maxRows)
    expect(stored).toBeLessThan(maxRows)
    expect(getFileSize('reeve.db')).toBeGreaterThan(large.length * 16)
    expect(await listHashes(db)).toHaveLength(stored)
    await db.close()
    expect(listOpenFiles(folder)).toEqual([])
    expect(queryFolder(folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(listHashesOnDisk(folder)).toHaveLength(stored)
  })
})

describe('closing', () => {
  test('waits for pending writes, and checkpoints the WAL', async () => {
    const { db, folder } = await openScratch()
    const writes = Array.from({ length: 300 }, (_, index) => insert(db, String(index)))
    await db.close()
    await Promise.all(writes)
    const log = Bun.file(join(folder, 'reeve.db-wal'))
    expect((await log.exists()) ? log.size : 0).toBe(0)
    expect(listHashesOnDisk(folder)).toHaveLength(300)
  })

  test('leaves no file of the folder open once it resolves', async () => {
    const { db, folder } = await openScratch()
    await insert(db, 'a')
    await listHashes(db)
    expect(listOpenFiles(folder)).not.toEqual([])
    await db.close()
    expect(listOpenFiles(folder)).toEqual([])
  })
})
