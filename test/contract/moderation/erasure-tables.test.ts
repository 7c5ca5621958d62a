import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openInstance } from '../../support/instance.ts'

/** The columns with the ID of a player, or with texts about one that are deleted with their row. A new one must be erased too. */
const PLAYER_COLUMNS = [
  'appeal.user_id',
  'appeal.user_username',
  'approval.user_id',
  'erasure.user_ids',
  'member_player.user_id',
  'pinned_note.user_id',
  'player_link.first_user_id',
  'player_link.second_user_id',
  'player_name.user_id',
  'record.actor_platform_user_id',
  'record.revoked_by_platform_user_id',
  'record.user_id',
  'record.user_username',
  'response_time.user_id',
  'workspace_job_row.user_id',
]

/** Names of columns that can refer to a player; `user_agent` and the like do not. */
const IS_PLAYER_COLUMN = /player|(^|_)user_(id|ids|username)$|platform_user/

test('every column that names a player is known, and the guide says of every table what an erasure does with it', async () => {
  const instance = await openInstance()
  const columns = await instance.storage.listColumns()
  await instance.close()
  const found = columns
    .filter(({ column }) => IS_PLAYER_COLUMN.test(column))
    .map(({ table, column }) => `${table}.${column}`)
  expect(found.sort()).toEqual(PLAYER_COLUMNS)

  const guide = readFileSync(join(import.meta.dir, '../../../docs/erasure.md'), 'utf8')
  const rows = guide.slice(guide.indexOf('## What happens to each table')).split('\n')
  const named = rows.flatMap((row) => (row.split('|')[1] ?? '').match(/`([a-z_]+)`/g) ?? [])
  const documented = new Set(named.map((name) => name.slice(1, -1)))
  const tables = new Set(columns.map(({ table }) => table))
  // The table of the index of names, and that of the migrations.
  const isOwn = (table: string) => !/^(player_name_gram|migration|sqlite_|kysely_|reeve_)/.test(table)
  expect([...tables].filter((table) => isOwn(table) && !documented.has(table))).toEqual([])
  expect([...documented].filter((table) => !tables.has(table))).toEqual([])
})
