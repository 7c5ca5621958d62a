import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../src/index.ts'
import { addMedia, allMedia, bytes, lookInto, openScratch, removeScratch } from './scratch.ts'

afterAll(removeScratch)

const add = (db: Database, hash: string) => db.write((tx) => tx.run(addMedia, { hash, bytes }))
const namesIn = async (db: Database) => (await db.read.all(allMedia, {})).map(({ hash }) => hash)
const onDisk = (folder: string) =>
  lookInto<{ hash: string }>(folder, 'select hash from media order by hash').map(({ hash }) => hash)

/** Files in a folder that this process has open, as the kernel says. */
const openFilesIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd')
    .map((number) => {
      try {
        return readlinkSync(`/proc/self/fd/${number}`)
      } catch {
        return ''
      }
    })
    .filter((path) => path.startsWith(`${folder}/`))

describe('a unit', () => {
  test('is not answered while another of its commit is still at work', async () => {
    const { db, folder } = await openScratch()
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let isAnswered = false
    const first = add(db, 'first').then(() => {
      isAnswered = true
    })
    let reached = () => {}
    const second = db.write(async (tx) => {
      await tx.run(addMedia, { hash: 'second', bytes })
      reached()
      await held
    })
    await new Promise<void>((resolve) => {
      reached = resolve
    })
    expect([isAnswered, onDisk(folder)]).toEqual([false, []])
    letGo()
    await Promise.all([first, second])
    expect(onDisk(folder)).toEqual(['first', 'second'])
    await db.close()
  })
})

/** Another program that has the file locked for so long. Resolves once it has. */
async function lockedElsewhere(folder: string, ms: number) {
  const locking = `
    const engine = new (require('bun:sqlite').Database)('${join(folder, 'reeve.db')}')
    engine.run('BEGIN IMMEDIATE')
    console.log('locked')
    Bun.sleepSync(${ms})
    engine.run('ROLLBACK')`
  const child = Bun.spawn([process.execPath, '-e', locking], { stdout: 'pipe' })
  await child.stdout.getReader().read()
  return child
}

describe('while another program has the file locked', () => {
  test('a write waits for a moment', async () => {
    const { db, folder } = await openScratch()
    const other = await lockedElsewhere(folder, 30)
    await add(db, 'late')
    expect(onDisk(folder)).toEqual(['late'])
    await other.exited
    await db.close()
  })

  test('and does not let go of it, a write is refused, and goes well once it has', async () => {
    const { db, folder } = await openScratch()
    const other = await lockedElsewhere(folder, 60_000)
    await expect(add(db, 'refused')).rejects.toMatchObject({ code: 'unavailable' })
    other.kill('SIGKILL')
    await other.exited
    await add(db, 'later')
    expect(onDisk(folder)).toEqual(['later'])
    await db.close()
  })
})

describe('a log that has grown long', () => {
  test('is folded into the file while the database is in use, and begins anew', async () => {
    const { db, folder } = await openScratch()
    const sizeOf = (name: string) => Bun.file(join(folder, name)).size
    const large = new Uint8Array(1_000_000)
    const most = 200
    let stored = 0
    let before = 0
    // The file of a log that began anew is written from its head, and grows no more.
    do {
      before = sizeOf('reeve.db-wal')
      await db.write((tx) => tx.run(addMedia, { hash: String(stored), bytes: large }))
      await namesIn(db)
      stored += 1
    } while (sizeOf('reeve.db-wal') > before && stored < most)
    expect(stored).toBeLessThan(most)
    expect(sizeOf('reeve.db')).toBeGreaterThan(large.length * 16)
    expect(await namesIn(db)).toHaveLength(stored)
    await db.close()
    expect(openFilesIn(folder)).toEqual([])
    expect(lookInto(folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(onDisk(folder)).toHaveLength(stored)
  })
})

describe('closing', () => {
  test('waits for the writes under way, and folds the log into the file', async () => {
    const { db, folder } = await openScratch()
    const writes = Array.from({ length: 300 }, (_, index) => add(db, String(index)))
    await db.close()
    await Promise.all(writes)
    const log = Bun.file(join(folder, 'reeve.db-wal'))
    expect((await log.exists()) ? log.size : 0).toBe(0)
    expect(onDisk(folder)).toHaveLength(300)
  })

  test('is over once it is answered: no file of the folder is open any more', async () => {
    const { db, folder } = await openScratch()
    await add(db, 'a')
    await namesIn(db)
    expect(openFilesIn(folder)).not.toEqual([])
    await db.close()
    expect(openFilesIn(folder)).toEqual([])
  })
})
