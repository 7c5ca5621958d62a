import { afterAll, expect, test } from 'bun:test'
import { sql as raw } from 'kysely'
import { type Database, openDataFolder, openServer, rawStatement, statement } from '../src/index.ts'
import type { Migration } from '../src/migration.ts'
import { migrations } from '../src/migrations/index.ts'
import { createDatabase } from './cluster.ts'
import { bytes, findImage, insertImage, removeScratch, scratchFolder, withSecrets } from './scratch.ts'

afterAll(removeScratch)

const insertAccount = statement<{ id: string; passwordHash: string | null }>()((sql, p) =>
  sql.insertInto('account').values({
    id: p.id,
    username: p.id,
    username_key: p.id,
    password_hash: p.passwordHash,
    is_operator: 0,
    created_at: 0,
    updated_at: 0,
  }),
)
const listAccounts = statement()((sql) => sql.selectFrom('account').selectAll().orderBy('id'))
const deleteAccount = statement<{ id: string }>()((sql, p) =>
  sql.deleteFrom('account').where('id', '=', p.id),
)
const insertSession = statement<{ id: string; accountId: string }>()((sql, p) =>
  sql.insertInto('session').values({
    id: p.id,
    token_hash: p.id,
    account_id: p.accountId,
    created_at: 0,
    last_seen_at: 0,
    expires_at: 0,
    address: '',
    user_agent: '',
  }),
)

// Statements in the columns of the time before 0011.
const insertWorkspace = statement()((sql) =>
  rawStatement(
    sql,
    raw`insert into workspace (id, group_name, group_key, owner_id, created_by, created_at, updated_at, version)
    values ('w', 'w', 'w', 'a', 'a', 0, 0, 1)`,
  ),
)
const insertArchive = statement()((sql) =>
  rawStatement(
    sql,
    raw`insert into archive (workspace_id, id, group_name, created_at, created_by, size_bytes, sha256, counts)
    values ('w', 'archive', 'w', 10, 'a', 1, '', '{}')`,
  ),
)
const insertImageAt = statement<{ hash: string; bytes: Uint8Array | null; at: number }>()((sql, p) =>
  rawStatement(
    sql,
    raw`insert into media (hash, extension, content_type, bytes, created_at)
    values (${p.hash}, 'png', 'image/png', ${p.bytes}, ${p.at})`,
  ),
)
const listArchiveImages = statement()((sql) =>
  sql.selectFrom('archive_image').selectAll().where('workspace_id', '=', 'w'),
)
const insertRecord = statement<{ id: string; index: number }>()((sql, p) =>
  rawStatement(
    sql,
    raw`insert into record (workspace_id, id, case_number, action, user_id, severity, evidence, comments, in_force,
    actor_kind, actor_id, created_at, updated_at, sequence, version)
    select 'w', ${p.id}, n, 'note', '1', 'low', case n % 3 when 0 then '[]' when 1 then '["a"]' else '["a","b"]' end,
      case n % 2 when 0 then '[]' else '[{}]' end, 0, 'api_key', 'k', 0, 0, 1, 1 from (select cast(${p.index} as bigint) as n) numbers`,
  ),
)
const listCounts = statement()((sql) =>
  sql
    .selectFrom('record')
    .select(['case_number', 'evidence_count', 'comment_count'])
    .where('workspace_id', '=', 'w'),
)

/** Opens the same empty instance with the migrations of a list, all of them by default. */
const openers: Record<
  string,
  () => Promise<(list?: readonly Migration[]) => Promise<{ database: Database }>>
> = {
  SQLite: async () => {
    const folder = scratchFolder()
    return (list) => openDataFolder(folder, Date.now, list)
  },
  PostgreSQL: async () => {
    const url = await createDatabase('template1')
    return (list) => openServer(url, Date.now, list && withSecrets(list))
  },
}

for (const [engine, prepare] of Object.entries(openers)) {
  test(`on ${engine}, images from before 0002 are preserved, and bytes may be null afterwards`, async () => {
    const open = await prepare()
    const before = (await open(migrations.slice(0, 1))).database
    await before.write((tx) => tx.run(insertImage, { hash: 'before', bytes }))
    await expect(
      before.write((tx) => tx.run(insertImage, { hash: 'elsewhere', bytes: null })),
    ).rejects.toThrow()
    await before.close()
    const after = (await open()).database
    await after.write((tx) => tx.run(insertImage, { hash: 'elsewhere', bytes: null }))
    expect(await after.read.first(findImage, { hash: 'before' })).toEqual({ hash: 'before', bytes })
    expect(await after.read.first(findImage, { hash: 'elsewhere' })).toEqual({
      hash: 'elsewhere',
      bytes: null,
    })
    await after.close()
  })

  test(`on ${engine}, accounts and sessions from before 0004 are preserved, and a password is optional afterwards`, async () => {
    const open = await prepare()
    const before = (await open(migrations.slice(0, 3))).database
    await before.write(async (tx) => {
      await tx.run(insertAccount, { id: 'before', passwordHash: 'hash' })
      await tx.run(insertSession, { id: 'session', accountId: 'before' })
    })
    const insertPasswordless = (db: Database) =>
      db.write((tx) => tx.run(insertAccount, { id: 'passwordless', passwordHash: null }))
    await expect(insertPasswordless(before)).rejects.toThrow()
    const accountsBefore = await before.read.all(listAccounts, {})
    expect(accountsBefore).toMatchObject([{ id: 'before', password_hash: 'hash' }])
    await before.close()

    const after = (await open()).database
    expect(await after.read.all(listAccounts, {})).toEqual(accountsBefore)
    await insertPasswordless(after)
    expect(await after.read.all(listAccounts, {})).toMatchObject([
      { id: 'before', password_hash: 'hash' },
      { id: 'passwordless', password_hash: null },
    ])
    // The foreign key and the unique index are still enforced.
    const orphan = { id: 'orphan', accountId: 'unknown' }
    await expect(after.write((tx) => tx.run(insertSession, orphan))).rejects.toThrow()
    await expect(after.write((tx) => tx.run(deleteAccount, { id: 'before' }))).rejects.toThrow()
    await expect(insertPasswordless(after)).rejects.toThrow()
    await after.close()
  })

  test(`on ${engine}, comments and evidence from before 0011 are counted`, async () => {
    const open = await prepare()
    const before = (await open(migrations.slice(0, 10))).database
    await before.write(async (tx) => {
      await tx.run(insertAccount, { id: 'a', passwordHash: null })
      await tx.run(insertWorkspace, {})
      // More than a batch of the migration.
      for (let index = 0; index < 230; index++) await tx.run(insertRecord, { id: `r${index}`, index })
    })
    await before.close()
    const after = (await open()).database
    const counts = await after.read.all(listCounts, {})
    expect(counts).toHaveLength(230)
    for (const { case_number: index, ...count } of counts)
      expect(count).toEqual({ evidence_count: index % 3, comment_count: index % 2 })
    await after.close()
  })

  test(`on ${engine}, an archive from before 0014 keeps the images in a bucket that it may refer to`, async () => {
    const open = await prepare()
    const before = (await open(migrations.filter(({ name }) => name < '0014'))).database
    await before.write(async (tx) => {
      await tx.run(insertAccount, { id: 'a', passwordHash: null })
      await tx.run(insertWorkspace, {})
      await tx.run(insertArchive, {})
      await tx.run(insertImageAt, { hash: 'in-bucket', bytes: null, at: 10 })
      await tx.run(insertImageAt, { hash: 'later', bytes: null, at: 11 })
      await tx.run(insertImageAt, { hash: 'in-database', bytes, at: 10 })
    })
    await before.close()
    const after = (await open()).database
    expect(await after.read.all(listArchiveImages, {})).toEqual([
      { workspace_id: 'w', archive_id: 'archive', hash: 'in-bucket' },
    ])
    await after.close()
  })
}
