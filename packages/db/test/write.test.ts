import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Database, type DataChange, isUniqueViolation, type Transaction } from '../src/index.ts'
import {
  bytes,
  engines,
  findImage,
  insertImage,
  listImages,
  type OpenedDatabase,
  removeScratch,
} from './scratch.ts'

afterAll(removeScratch)

const insert = (db: Database, hash: string) => db.write((tx) => tx.run(insertImage, { hash, bytes }))
const listHashes = async (db: Database) => (await db.read.all(listImages, {})).map(({ hash }) => hash)
const listHashesOnDisk = async (query: OpenedDatabase['query']) =>
  (await query<{ hash: string }>('select hash from media order by hash')).map(({ hash }) => hash)

describe.each(engines)('on $name', ({ open }) => {
  describe('a write', () => {
    test('that fails is rolled back, without the other writes of its commit', async () => {
      const { db, query } = await open()
      const outcomes = await Promise.allSettled([
        insert(db, 'a'),
        db.write(async (tx) => {
          await tx.run(insertImage, { hash: 'b', bytes })
          await tx.run(insertImage, { hash: 'b2', bytes })
          throw new Error('rolled back')
        }),
        insert(db, 'c'),
        db.write(async (tx) => {
          await tx.run(insertImage, { hash: 'd', bytes })
          await tx.run(insertImage, { hash: 'a', bytes })
        }),
        insert(db, 'e'),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ])
      expect(await listHashesOnDisk(query)).toEqual(['a', 'c', 'e'])
      await db.close()
    })

    test('may continue after a failed statement', async () => {
      const { db, query } = await open()
      await insert(db, 'taken')
      await db.write(async (tx) => {
        const rejected = await tx.run(insertImage, { hash: 'taken', bytes }).catch((error: unknown) => error)
        expect(isUniqueViolation(rejected)).toBe(true)
        await tx.run(insertImage, { hash: 'instead', bytes })
      })
      expect(await listHashesOnDisk(query)).toEqual(['instead', 'taken'])
      await db.close()
    })

    test('may run a statement for several parameters, and continue after it has failed for one of them', async () => {
      const { db, query } = await open()
      await insert(db, 'taken')
      await db.write(async (tx) => {
        const hashes = ['a', 'taken', 'never reached']
        const rejected = await tx
          .allEach(
            insertImage,
            hashes.map((hash) => ({ hash, bytes })),
          )
          .catch((error: unknown) => error)
        expect(isUniqueViolation(rejected)).toBe(true)
        await tx.run(insertImage, { hash: 'instead', bytes })
        const found = await tx.allEach(
          findImage,
          ['instead', 'absent', 'a'].map((hash) => ({ hash })),
        )
        expect(found).toEqual([[{ hash: 'instead', bytes }], [], [{ hash: 'a', bytes }]])
        expect(await tx.allEach(findImage, [])).toEqual([])
      })
      expect(await listHashesOnDisk(query)).toEqual(['a', 'instead', 'taken'])
      await db.close()
    })

    test('may insert any number of rows at once, in their order; one that fails fails the write', async () => {
      const { db, query } = await open()
      // More than one statement of PostgreSQL inserts, and numbers that are no power of two.
      const hashes = Array.from({ length: 39 }, (_, index) => `image ${String(index).padStart(2, '0')}`)
      const insertAll = (list: readonly string[]) =>
        db.write(async (tx) => {
          await tx.insertEach(insertImage, [])
          await tx.insertEach(
            insertImage,
            list.map((hash, index) => ({ hash, bytes: new Uint8Array([index]) })),
          )
          return tx.all(listImages, {})
        })
      expect(await insertAll(hashes)).toEqual(hashes.map((hash) => ({ hash })))
      const rejected = await insertAll(['new', 'image 38', 'other']).catch((error: unknown) => error)
      expect(isUniqueViolation(rejected)).toBe(true)
      expect(await listHashesOnDisk(query)).toEqual(hashes)
      await db.write(async (tx) => {
        expect(await tx.all(findImage, { hash: 'image 30' })).toEqual([
          { hash: 'image 30', bytes: new Uint8Array([30]) },
        ])
      })
      await db.close()
    })

    test('may send statements whose results it does not need: later ones see them, and a failure fails the write', async () => {
      const { db, query } = await open()
      await db.write(async (tx) => {
        await tx.send(insertImage, { hash: 'a', bytes })
        expect(await tx.all(listImages, {})).toEqual([{ hash: 'a' }])
        await tx.send(insertImage, { hash: 'b', bytes })
      })
      for (const readsLater of [false, true]) {
        const rejected = await db
          .write(async (tx) => {
            for (const hash of ['c', 'a', 'd']) await tx.send(insertImage, { hash, bytes })
            if (readsLater) await tx.all(listImages, {})
          })
          .catch((error: unknown) => error)
        expect(isUniqueViolation(rejected)).toBe(true)
      }
      expect(await listHashesOnDisk(query)).toEqual(['a', 'b'])
      await db.close()
    })

    test('resolves only when another connection can see it', async () => {
      const { db, query } = await open()
      const visibleWhenResolved = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const hash = `unit ${String(index).padStart(2, '0')}`
          await insert(db, hash)
          return (await listHashesOnDisk(query)).includes(hash)
        }),
      )
      expect(visibleWhenResolved.every(Boolean)).toBe(true)
      await db.close()
    })

    test('runs after earlier writes, and sees their changes', async () => {
      const { db } = await open()
      const seen: number[] = []
      await Promise.all(
        Array.from({ length: 600 }, (_, index) =>
          db.write(async (tx) => {
            seen.push((await tx.all(listImages, {})).length)
            await tx.run(insertImage, { hash: String(index), bytes })
          }),
        ),
      )
      expect(seen).toEqual(Array.from({ length: 600 }, (_, index) => index))
      await db.close()
    })

    test('rejects statements after its end', async () => {
      const { db, query } = await open()
      let leakedTx: Transaction | undefined
      await db.write(async (tx) => {
        leakedTx = tx
      })
      expect(() => leakedTx?.run(insertImage, { hash: 'late', bytes })).toThrow('an await is missing')
      expect(() => leakedTx?.announce({ kind: 'role', workspaceId: 'w', id: 'r' })).toThrow(
        'an await is missing',
      )
      expect(await listHashesOnDisk(query)).toEqual([])
      await db.close()
    })
  })

  describe('a read', () => {
    test('sees committed data only', async () => {
      const { db } = await open()
      await db.write(async (tx) => {
        await tx.run(insertImage, { hash: 'begun', bytes })
        expect(await tx.first(findImage, { hash: 'begun' })).toEqual({ hash: 'begun', bytes })
        expect(await db.read.first(findImage, { hash: 'begun' })).toBeUndefined()
      })
      expect(await listHashes(db)).toEqual(['begun'])
      await db.close()
    })

    test('cannot write', async () => {
      const { db, query } = await open()
      await expect(db.read.all(insertImage, { hash: 'sly', bytes })).rejects.toThrow(/read-?only/)
      expect(await listHashesOnDisk(query)).toEqual([])
      await db.close()
    })
  })

  describe('a listener', () => {
    const change = (id: string): DataChange => ({ kind: 'department', workspaceId: 'w', id })

    test('is called after the commit, and only for committed changes', async () => {
      const { db, query } = await open()
      const notifications: Promise<unknown>[] = []
      const stop = db.onChange(({ id }) =>
        notifications.push(listHashesOnDisk(query).then((names) => ({ id, isOnDisk: names.includes(id) }))),
      )
      await Promise.allSettled([
        db.write(async (tx) => {
          tx.announce(change('kept'))
          await tx.run(insertImage, { hash: 'kept', bytes })
        }),
        db.write(async (tx) => {
          tx.announce(change('undone'))
          throw new Error('rolled back')
        }),
      ])
      expect(await Promise.all(notifications)).toEqual([{ id: 'kept', isOnDisk: true }])
      stop()
      await db.write(async (tx) => tx.announce(change('unheard')))
      expect(notifications).toHaveLength(1)
      await db.close()
    })

    test('is called before the write resolves, so that caches are invalidated by then', async () => {
      const { db } = await open()
      let isNotified = false
      db.onChange(() => {
        isNotified = true
      })
      await db.write(async (tx) => tx.announce(change('any')))
      expect(isNotified).toBe(true)
      await db.close()
    })

    test('that throws is reported as an uncaught error, and fails no write', async () => {
      const { db, openExpression } = await open()
      await db.close()
      const script = `
      import { openDataFolder, openServer } from ${JSON.stringify(join(import.meta.dir, '../src/index.ts'))}
      process.on('uncaughtException', (error) => console.log('uncaught:', error.message))
      const { database: db } = await ${openExpression}
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
    }, 60_000)
  })

  describe('closing', () => {
    test('waits for pending writes', async () => {
      const { db, query } = await open()
      const writes = Array.from({ length: 300 }, (_, index) => insert(db, String(index)))
      await db.close()
      await Promise.all(writes)
      expect(await listHashesOnDisk(query)).toHaveLength(300)
    })
  })

  describe('more writes than fit the queue', () => {
    test('are rejected at once, and the queued ones succeed', async () => {
      const { db } = await open()
      const { promise: blocked, resolve: release } = Promise.withResolvers<void>()
      const writes = Array.from({ length: 10_050 }, () => db.write(() => blocked))
      await Promise.any(writes.slice(10_000).map((one) => one.catch(release)))
      const outcomes = await Promise.allSettled(writes)
      const rejected = outcomes.filter((one) => one.status === 'rejected')
      expect(rejected).toHaveLength(50)
      expect(rejected.map((one) => one.reason.code)).toEqual(Array.from({ length: 50 }, () => 'unavailable'))
      await db.close()
    })
  })
})
