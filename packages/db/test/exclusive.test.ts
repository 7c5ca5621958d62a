import { expect, test } from 'bun:test'
import { APPLICATION_NAME } from '../src/postgres/connections.ts'
import { assertServerUnused } from '../src/postgres/exclusive.ts'
import { connectTo, createDatabase, queryServer } from './cluster.ts'

/** Longer than a running process sends no query. */
const QUIET = '2 seconds'

test('a process that was just stopped is waited for, also on a server that takes seconds to notice', async () => {
  const url = await createDatabase('template1')
  const stopped = await connectTo(url)
  await stopped.query(`set application_name = '${APPLICATION_NAME}'`)
  const isListed = async () =>
    (
      await queryServer(
        url,
        `select 1 from pg_stat_activity where datname = current_database() and application_name = '${APPLICATION_NAME}'
           and query = 'select 1 as last' and query_start > clock_timestamp() - interval '${QUIET}'`,
      )
    ).length > 0
  await stopped.query('select 1 as last')
  const outcome = assertServerUnused(url).then(
    () => 'unused',
    (error: Error) => error.message,
  )
  while (await isListed());
  await stopped.close()
  expect(await outcome).toBe('unused')
}, 60_000)
