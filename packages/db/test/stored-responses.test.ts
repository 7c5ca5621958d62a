import { afterAll, expect, test } from 'bun:test'
import { type Database, openServer, statement } from '../src/index.ts'
import { responsesOfRecord } from '../src/stored-responses.ts'
import { connectTo, createDatabase } from './cluster.ts'
import { openScratch, queryFolder, removeScratch, testId } from './scratch.ts'

afterAll(removeScratch)

/** The SQL text of the statement on an engine. */
async function readSql(db: Database): Promise<string> {
  let text = ''
  const reading = statement<{ workspaceId: string; recordId: string }>()((sql, p, dialect) => {
    const compiled = responsesOfRecord.build(sql, p, dialect).compile()
    text = compiled.sql
    return sql.selectNoFrom((eb) => eb.lit(1).as('one'))
  })
  await db.read.all(reading, { workspaceId: '', recordId: '' })
  await db.close()
  return text
}

test('a redaction reads no stored responses but those of its record, on SQLite', async () => {
  const { db, folder } = await openScratch()
  const plan = queryFolder<{ detail: string }>(folder, `explain query plan ${await readSql(db)}`)
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH idempotency USING INDEX idempotency_by_record (workspace_id=? AND record_id=?)',
  ])
})

test('a redaction reads no stored responses but those of its record, on PostgreSQL', async () => {
  const url = await createDatabase()
  const sql = await readSql((await openServer(url, { now: Date.now })).database)
  const { query, close } = await connectTo(url)
  // A server reads an empty table from its start, unless it may not.
  await query('set enable_seqscan = off')
  await query('set plan_cache_mode = force_generic_plan')
  await query(`prepare redaction as ${sql}`)
  const plan = await query(`explain execute redaction('${testId(1)}', '${testId(2)}')`)
  await close()
  expect(JSON.stringify(plan)).toContain('Index Cond: ((workspace_id = $1) AND (record_id = $2))')
})
