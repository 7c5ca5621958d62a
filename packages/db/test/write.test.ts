import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Change, type Database, isUniqueViolation, type Transaction } from '../src/index.ts'
import { addMedia, allMedia, bytes, engines, mediaByHash, type Opened, removeScratch } from './scratch.ts'

afterAll(removeScratch)

const add = (db: Database, hash: string) => db.write((tx) => tx.run(addMedia, { hash, bytes }))
const namesIn = async (db: Database) => (await db.read.all(allMedia, {})).map(({ hash }) => hash)
const onDisk = async (look: Opened['look']) =>
  (await look<{ hash: string }>('select hash from media order by hash')).map(({ hash }) => hash)

describe.each(engines)('on $name', ({ open }) => {
  describe('a unit', () => {
    test('that fails undoes all of itself, and nothing of those that share its commit', async () => {
      const { db, look } = await open()
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
      expect(await onDisk(look)).toEqual(['a', 'c', 'e'])
      await db.close()
    })

    test('may go on after a statement of its own that failed', async () => {
      const { db, look } = await open()
      await add(db, 'taken')
      await db.write(async (tx) => {
        const refused = await tx.run(addMedia, { hash: 'taken', bytes }).catch((error: unknown) => error)
        expect(isUniqueViolation(refused)).toBe(true)
        await tx.run(addMedia, { hash: 'instead', bytes })
      })
      expect(await onDisk(look)).toEqual(['instead', 'taken'])
      await db.close()
    })

    test('is answered only when another connection can see it', async () => {
      const { db, look } = await open()
      const seenWhenAnswered = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const hash = `unit ${String(index).padStart(2, '0')}`
          await add(db, hash)
          return (await onDisk(look)).includes(hash)
        }),
      )
      expect(seenWhenAnswered.every(Boolean)).toBe(true)
      await db.close()
    })

    test('runs after those that were asked for before it, and sees what they did', async () => {
      const { db } = await open()
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
      const { db, look } = await open()
      let kept: Transaction | undefined
      await db.write(async (tx) => {
        kept = tx
      })
      expect(() => kept?.run(addMedia, { hash: 'late', bytes })).toThrow('an await is missing')
      expect(() => kept?.announce({ kind: 'role', workspaceId: 'w', id: 'r' })).toThrow('an await is missing')
      expect(await onDisk(look)).toEqual([])
      await db.close()
    })
  })

  describe('reading', () => {
    test('sees what is committed, never what a unit has only begun', async () => {
      const { db } = await open()
      await db.write(async (tx) => {
        await tx.run(addMedia, { hash: 'begun', bytes })
        expect(await tx.first(mediaByHash, { hash: 'begun' })).toEqual({ hash: 'begun', bytes })
        expect(await db.read.first(mediaByHash, { hash: 'begun' })).toBeUndefined()
      })
      expect(await namesIn(db)).toEqual(['begun'])
      await db.close()
    })

    test('cannot change anything', async () => {
      const { db, look } = await open()
      await expect(db.read.all(addMedia, { hash: 'sly', bytes })).rejects.toThrow(/read-?only/)
      expect(await onDisk(look)).toEqual([])
      await db.close()
    })
  })

  describe('a listener', () => {
    const change = (id: string): Change => ({ kind: 'department', workspaceId: 'w', id })

    test('is told after the commit, and only of what was committed', async () => {
      const { db, look } = await open()
      const told: Promise<unknown>[] = []
      const stop = db.onChange(({ id }) =>
        told.push(onDisk(look).then((names) => ({ id, isOnDisk: names.includes(id) }))),
      )
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
      expect(await Promise.all(told)).toEqual([{ id: 'kept', isOnDisk: true }])
      stop()
      await db.write(async (tx) => tx.announce(change('unheard')))
      expect(told).toHaveLength(1)
      await db.close()
    })

    test('is told before the writer is answered, so that what it forgets is forgotten by then', async () => {
      const { db } = await open()
      let isTold = false
      db.onChange(() => {
        isTold = true
      })
      await db.write(async (tx) => tx.announce(change('any')))
      expect(isTold).toBe(true)
      await db.close()
    })

    test('that fails is loud, and stops neither the answer nor the writes after it', async () => {
      const { db, opening } = await open()
      await db.close()
      const script = `
      import { openDataFolder, openServer } from ${JSON.stringify(join(import.meta.dir, '../src/index.ts'))}
      process.on('uncaughtException', (error) => console.log('uncaught:', error.message))
      const { database: db } = await ${opening}
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
  })

  describe('closing', () => {
    test('waits for the writes under way', async () => {
      const { db, look } = await open()
      const writes = Array.from({ length: 300 }, (_, index) => add(db, String(index)))
      await db.close()
      await Promise.all(writes)
      expect(await onDisk(look)).toHaveLength(300)
    })
  })

  describe('more units than may wait', () => {
    test('are turned away at once, and those that wait are done', async () => {
      const { db } = await open()
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
      const asked = Array.from({ length: 10_050 }, () => db.write(() => held))
      await Promise.any(asked.slice(10_000).map((one) => one.catch(letGo)))
      const outcomes = await Promise.allSettled(asked)
      const refused = outcomes.filter((one) => one.status === 'rejected')
      expect(refused).toHaveLength(50)
      expect(refused.map((one) => one.reason.code)).toEqual(Array.from({ length: 50 }, () => 'unavailable'))
      await db.close()
    })
  })
})
