import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { AppError } from '@reeve/core'
import { openSqliteWriter } from '../src/sqlite/connection.ts'
import { sqliteDatabase } from '../src/sqlite/database.ts'
import { isFsyncFailure, isStorageFailure } from '../src/sqlite/errors.ts'
import { insertImage, listImages, openScratch, queryFolder, removeScratch } from './scratch.ts'

afterAll(removeScratch)

/** A database with a limit of pages, which acts like a full disk. */
async function openSmall() {
  const { db: scratch, folder } = await openScratch()
  await scratch.close()
  const file = join(folder, 'reeve.db')
  const writer = openSqliteWriter(file)
  const setMaxPages = (maxPages: number) => writer.query(`PRAGMA max_page_count = ${maxPages}`).get()
  return { db: sqliteDatabase(file, writer, ''), folder, setMaxPages }
}

const large = new Uint8Array(100_000)
const small = new Uint8Array(10)

test('on a full disk all writes of a commit are unavailable, none is written in part, and free space ends that', async () => {
  const { db, folder, setMaxPages } = await openSmall()
  const insert = (hash: string, imageBytes: Uint8Array) =>
    db.write((tx) => tx.run(insertImage, { hash, bytes: imageBytes }))
  await insert('before', small)
  setMaxPages(1)
  const stored = ['before']
  let outcomes: PromiseSettledResult<unknown>[] = []
  // On a slow machine, a small write can be committed before the large one begins: then they share no commit.
  for (let attempt = 0; outcomes[1]?.status !== 'rejected'; attempt++) {
    const hashes = [`small ${attempt}`, `other ${attempt}`]
    outcomes = await Promise.allSettled([
      ...hashes.map((hash) => insert(hash, small)),
      insert('large', large),
    ])
    stored.push(...hashes.filter((_, index) => outcomes[index]?.status === 'fulfilled'))
  }
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of failed) {
    expect(reason).toBeInstanceOf(AppError)
    expect({ code: reason.code, isCaused: isStorageFailure(reason.cause) }).toEqual({
      code: 'unavailable',
      isCaused: true,
    })
  }
  expect((await db.read.all(listImages, {})).map(({ hash }) => hash)).toEqual(stored.toSorted())
  setMaxPages(1_000_000)
  await db.write((tx) => tx.run(insertImage, { hash: 'large', bytes: large }))
  await db.close()
  expect(queryFolder(folder, 'select hash from media order by hash')).toEqual([
    ...[...stored, 'large'].sort().map((hash) => ({ hash })),
  ])
  expect(queryFolder(folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

test('a write is unavailable while another program has a lock, and works after that', async () => {
  const { db, folder } = await openSmall()
  const other = openSqliteWriter(join(folder, 'reeve.db'))
  other.run('BEGIN IMMEDIATE')
  const failure = await db
    .write((tx) => tx.run(insertImage, { hash: 'a', bytes: small }))
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'unavailable' })
  other.run('ROLLBACK')
  other.close()
  await db.write((tx) => tx.run(insertImage, { hash: 'a', bytes: small }))
  await db.close()
})

test('only file errors are storage failures, and only a failed fsync is fatal', () => {
  const createCodedError = (code: string) => Object.assign(new Error(), { code })
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY_DBMOVED'])
    expect({ code, is: isStorageFailure(createCodedError(code)) }).toEqual({ code, is: true })
  for (const code of ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', 'SQLITE_FULLER', 'ENOSPC'])
    expect({ code, is: isStorageFailure(createCodedError(code)) }).toEqual({ code, is: false })
  expect(isFsyncFailure(createCodedError('SQLITE_IOERR_FSYNC'))).toBe(true)
  expect(isFsyncFailure(createCodedError('SQLITE_IOERR_WRITE'))).toBe(false)
})
