import { Database as Engine } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { createKysely } from '../src/sqlite/statements.ts'

test('SQLite does not prepare a statement with a join again for each value: no condition compares a bare parameter', () => {
  const { sql, parameters } = createKysely(new Engine(':memory:'))
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select('account.username')
    .where('session.token_hash', '=', 'hash')
    .where('session.expires_at', '>', 1)
    .compile()
  expect(parameters).toEqual(['hash', 1])
  expect(sql.match(/.\?/g)).toEqual(['+?', '+?'])
})
