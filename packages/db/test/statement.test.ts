import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Database, statement, statementFamily } from '../src/index.ts'
import { bytes, engines, findImage, insertImage, removeScratch } from './scratch.ts'

const findHashes = statement<{ hashes: readonly string[] }>()((sql, p, dialect) =>
  sql.selectFrom('media').select('hash').where(dialect.inList('hash', p.hashes)).orderBy('hash'),
)
const findTwice = statement<{ hash: string }>()((sql, p) =>
  sql
    .selectFrom('media')
    .select((eb) => eb.val(p.hash).as('asked'))
    .where((eb) => eb.or([eb('hash', '=', p.hash), eb('extension', '=', p.hash)])),
)
const listSorted = statementFamily<{ limit: number }, { down: boolean }>()((sql, p, { down }) =>
  sql
    .selectFrom('media')
    .select('hash')
    .orderBy('hash', down ? 'desc' : 'asc')
    .limit(p.limit),
)
const renameHash = statement<{ from: string; to: string }>()((sql, p) =>
  sql.updateTable('media').set({ hash: p.to }).where('hash', '=', p.from),
)

afterAll(removeScratch)

describe.each(engines)('on $name', ({ open }) => {
  let db: Database

  beforeAll(async () => {
    db = (await open()).db
    await db.write(async (tx) => {
      for (const hash of ['a', 'b', "c'); drop table media; --"]) await tx.run(insertImage, { hash, bytes })
    })
  })
  afterAll(() => db.close())

  describe('a statement', () => {
    test('finds the first row, every row, or none', async () => {
      expect(await db.read.first(findImage, { hash: 'a' })).toEqual({ hash: 'a', bytes })
      expect(await db.read.all(findImage, { hash: 'a' })).toHaveLength(1)
      expect(await db.read.first(findImage, { hash: 'z' })).toBeUndefined()
      expect(await db.read.all(findImage, { hash: 'z' })).toEqual([])
    })

    test('treats values as data, never as SQL', async () => {
      const hash = "c'); drop table media; --"
      expect(await db.read.first(findImage, { hash })).toEqual({ hash, bytes })
      expect(await db.read.all(findImage, { hash: "x' or '1'='1" })).toEqual([])
    })

    test('finds nothing for values with U+0000, alone or in a list', async () => {
      expect(await db.read.all(findImage, { hash: 'a\0' })).toEqual([])
      expect(await db.read.all(findHashes, { hashes: ['\0', 'a', 'a\0'] })).toEqual([{ hash: 'a' }])
    })

    test('may use a parameter more than once', async () => {
      expect(await db.read.all(findTwice, { hash: 'png' })).toHaveLength(3)
    })

    test('returns the number of changed rows', async () => {
      expect(await db.write((tx) => tx.run(renameHash, { from: 'b', to: 'b2' }))).toBe(1)
      expect(await db.write((tx) => tx.run(renameHash, { from: 'b', to: 'b3' }))).toBe(0)
    })

    test('throws on a parameter without a value, and does not store null', async () => {
      const missing = { hash: undefined } as unknown as { hash: string }
      await expect(db.read.first(findImage, missing)).rejects.toThrow('hash has no value')
    })

    test('accepts a list of any length', async () => {
      const hashes = Array.from({ length: 50_000 }, (_, index) => `none ${index}`)
      expect(await db.read.all(findHashes, { hashes: [...hashes, 'a'] })).toEqual([{ hash: 'a' }])
      expect(await db.read.all(findHashes, { hashes: [] })).toEqual([])
    })
  })

  test('a family of statements builds each shape once', async () => {
    expect(listSorted({ down: true })).toBe(listSorted({ down: true }))
    const [up, down] = await Promise.all([
      db.read.all(listSorted({ down: false }), { limit: 9 }),
      db.read.all(listSorted({ down: true }), { limit: 9 }),
    ])
    expect(down).toEqual(up.toReversed())
  })
})
