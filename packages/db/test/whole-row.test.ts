import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Database, insertAll, type MediaTable, statement, updateAll, upsertAll } from '../src/index.ts'
import { engines, removeScratch } from './scratch.ts'

const findRow = statement<{ hash: string }>()((sql, p) =>
  sql.selectFrom('media').selectAll().where('hash', '=', p.hash),
)
const insert = statement<MediaTable>()((sql, p) => insertAll(sql, 'media', p))
const update = statement<MediaTable>()((sql, p) =>
  updateAll(sql, 'media', p, { key: ['hash'], except: ['created_at'] }),
)
const upsert = statement<MediaTable>()((sql, p) => upsertAll(sql, 'media', p, ['hash']))

const row = (hash: string): MediaTable => ({
  hash,
  extension: 'png',
  content_type: 'image/png',
  bytes: new Uint8Array([1, 2]),
  created_at: 1,
  size_bytes: 2,
})
const changed = {
  extension: 'webp',
  content_type: 'image/webp',
  bytes: null,
  created_at: 2,
  size_bytes: null,
}

afterAll(removeScratch)

describe.each(engines)('on $name', ({ open }) => {
  let db: Database
  beforeAll(async () => {
    db = (await open()).db
  })
  afterAll(() => db.close())

  test('insertAll writes every column', async () => {
    await db.write((tx) => tx.run(insert, row('inserted')))
    expect(await db.read.first(findRow, { hash: 'inserted' })).toEqual(row('inserted'))
  })

  test('updateAll writes every column but the excepted ones, in the row with the key only', async () => {
    await db.write(async (tx) => {
      await tx.run(insert, row('updated'))
      await tx.run(insert, row('untouched'))
      expect(await tx.run(update, { ...row('updated'), ...changed })).toBe(1)
    })
    const updated = { ...row('updated'), ...changed, created_at: 1 }
    expect(await db.read.first(findRow, { hash: 'updated' })).toEqual(updated)
    expect(await db.read.first(findRow, { hash: 'untouched' })).toEqual(row('untouched'))
  })

  test('upsertAll inserts a row, and replaces every other column of the row with the same key', async () => {
    await db.write((tx) => tx.run(upsert, row('upserted')))
    expect(await db.read.first(findRow, { hash: 'upserted' })).toEqual(row('upserted'))
    await db.write((tx) => tx.run(upsert, { ...row('upserted'), ...changed }))
    expect(await db.read.first(findRow, { hash: 'upserted' })).toEqual({ ...row('upserted'), ...changed })
  })
})

test('a forgotten column does not compile, not even a nullable one', () => {
  type WithoutBytes = Omit<MediaTable, 'bytes'>
  // @ts-expect-error: `bytes` is nullable, but missing
  statement<WithoutBytes>()((sql, p) => insertAll(sql, 'media', p))
  // @ts-expect-error: `bytes` is nullable, but missing
  statement<WithoutBytes>()((sql, p) => upsertAll(sql, 'media', p, ['hash']))
  // @ts-expect-error: `bytes` is missing and not excepted
  statement<WithoutBytes>()((sql, p) => updateAll(sql, 'media', p, { key: ['hash'], except: [] }))
  statement<WithoutBytes>()((sql, p) => updateAll(sql, 'media', p, { key: ['hash'], except: ['bytes'] }))
  // @ts-expect-error: the media table has no such column
  statement<MediaTable>()((sql, p) => updateAll(sql, 'media', p, { key: ['hash'], except: ['size'] }))
  // @ts-expect-error: an update without a key would change every row
  statement<MediaTable>()((sql, p) => updateAll(sql, 'media', p, { key: [], except: [] }))
  // @ts-expect-error: a run has to give every column
  const run = (db: Database, given: WithoutBytes) => db.write((tx) => tx.run(insert, given))
  expect(run).toBeFunction()
})
