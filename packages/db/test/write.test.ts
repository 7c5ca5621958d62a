import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Change, type Database, isUniqueViolation, type Transaction } from '../src/index.ts'
import { addMedia, allMedia, bytes, lookInto, mediaByHash, openScratch, removeScratch } from './scratch.ts'

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
  test('that fails undoes all of itself, and nothing of those that share its commit', async () => {
    const { db, folder } = await openScratch()
    const outcomes = await Promise.allSettled([
      add(db, 'a'),
      db.write(async (tx) => {
        await tx.run(addMedia, { hash: 'b', bytes })
        await tx.run(addMedia, { hash: 'b2', bytes })
        throw new Error('changed its mind')
      }),
      add(db, 'c'),
      db.write(async (tx) => {
        await tx.run(addMedia, { hash: 'd', bytes })
        await tx.run(addMedia, { hash: 'a', bytes })
      }),
      add(db, 'e'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(onDisk(folder)).toEqual(['a', 'c', 'e'])
    await db.close()
  })

  test('may go on after a statement of its own that failed', async () => {
    const { db, folder } = await openScratch()
    await add(db, 'taken')
    await db.write(async (tx) => {
      const refused = await tx.run(addMedia, { hash: 'taken', bytes }).catch((error: unknown) => error)
      expect(isUniqueViolation(refused)).toBe(true)
      await tx.run(addMedia, { hash: 'instead', bytes })
    })
    expect(onDisk(folder)).toEqual(['instead', 'taken'])
    await db.close()
  })

  test('is answered only when another connection can see it', async () => {
    const { db, folder } = await openScratch()
    const seenWhenAnswered = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const hash = `unit ${String(index).padStart(2, '0')}`
        await add(db, hash)
        return onDisk(folder).includes(hash)
      }),
    )
    expect(seenWhenAnswered.every(Boolean)).toBe(true)
    await db.close()
  })

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

  test('runs after those that were asked for before it, and sees what they did', async () => {
    const { db } = await openScratch()
    const seen: number[] = []
    await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        db.write(async (tx) => {
          seen.push((await tx.all(allMedia, {})).length)
          await tx.run(addMedia, { hash: String(index), bytes })
        }),
      ),
    )
    expect(seen).toEqual(Array.from({ length: 600 }, (_, index) => index))
    await db.close()
  })

  test('cannot be written to once it has ended', async () => {
    const { db, folder } = await openScratch()
    let kept: Transaction | undefined
    await db.write(async (tx) => {
      kept = tx
    })
    expect(() => kept?.run(addMedia, { hash: 'late', bytes })).toThrow('an await is missing')
    expect(() => kept?.announce({ kind: 'role', workspaceId: 'w', id: 'r' })).toThrow('an await is missing')
    expect(onDisk(folder)).toEqual([])
    await db.close()
  })
})

describe('reading', () => {
  test('sees what is committed, never what a unit has only begun', async () => {
    const { db } = await openScratch()
    await db.write(async (tx) => {
      await tx.run(addMedia, { hash: 'begun', bytes })
      expect(await tx.first(mediaByHash, { hash: 'begun' })).toEqual({ hash: 'begun', bytes })
      expect(await db.read.first(mediaByHash, { hash: 'begun' })).toBeUndefined()
    })
    expect(await namesIn(db)).toEqual(['begun'])
    await db.close()
  })

  test('cannot change anything', async () => {
    const { db, folder } = await openScratch()
    await expect(db.read.all(addMedia, { hash: 'sly', bytes })).rejects.toThrow('readonly')
    expect(onDisk(folder)).toEqual([])
    await db.close()
  })
})

describe('a listener', () => {
  const change = (id: string): Change => ({ kind: 'department', workspaceId: 'w', id })

  test('is told after the commit, and only of what was committed', async () => {
    const { db, folder } = await openScratch()
    const told: unknown[] = []
    const stop = db.onChange(({ id }) => told.push([id, onDisk(folder).includes(id)]))
    await Promise.allSettled([
      db.write(async (tx) => {
        tx.announce(change('kept'))
        await tx.run(addMedia, { hash: 'kept', bytes })
      }),
      db.write(async (tx) => {
        tx.announce(change('undone'))
        throw new Error('changed its mind')
      }),
    ])
    expect(told).toEqual([['kept', true]])
    stop()
    await db.write(async (tx) => tx.announce(change('unheard')))
    expect(told).toHaveLength(1)
    await db.close()
  })

  test('is told before the writer is answered, so that what it forgets is forgotten by then', async () => {
    const { db } = await openScratch()
    let isTold = false
    db.onChange(() => {
      isTold = true
    })
    await db.write(async (tx) => tx.announce(change('any')))
    expect(isTold).toBe(true)
    await db.close()
  })
})

test('a listener that fails is loud, and stops neither the answer nor the writes after it', async () => {
  const { folder, db } = await openScratch()
  await db.close()
  const script = `
    import { openDataFolder } from ${JSON.stringify(join(import.meta.dir, '../src/index.ts'))}
    process.on('uncaughtException', (error) => console.log('uncaught:', error.message))
    const { database: db } = await openDataFolder(${JSON.stringify(folder)}, Date.now)
    db.onChange(() => { throw new Error('deaf') })
    const change = { kind: 'role', workspaceId: 'w', id: 'r' }
    console.log(await Promise.all([1, 2].map((n) => db.write(async (tx) => { tx.announce(change); return n }))))
    console.log(await db.write(async () => 'the next one'))
    await db.close()`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  const out = await new Response(child.stdout).text()
  expect(out.split('\n').filter(Boolean).sort()).toEqual([
    '[ 1, 2 ]',
    'the next one',
    'uncaught: deaf',
    'uncaught: deaf',
  ])
}, 20_000)

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

describe('more units than may wait', () => {
  test('are turned away at once, and those that wait are done', async () => {
    const { db, folder } = await openScratch()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_050 }, (_, index) => add(db, String(index))),
    )
    const refused = outcomes.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(50)
    expect(refused.map((one) => one.reason.code)).toEqual(Array.from({ length: 50 }, () => 'unavailable'))
    expect(onDisk(folder)).toHaveLength(10_000)
    await db.close()
  })
})
