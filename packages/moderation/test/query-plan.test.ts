import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDataFolder, type Statement, statement } from '@reeve/db'
import { recentActors } from '../src/players/actors.ts'
import { newestReasons } from '../src/players/reasons.ts'
import { recordsPage } from '../src/records/list-statements.ts'

const folder = mkdtempSync(join(tmpdir(), 'reeve-plan-'))
let db: Database

beforeAll(async () => {
  db = (await openDataFolder(folder, { now: Date.now })).database
})
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How SQLite will find the rows of a statement. */
async function explainStatement<Params>(explained: Statement<Params, unknown>, params: Params) {
  const explaining = statement<Params>()<{ detail: string }>((sql, p, dialect) => {
    // Without the types of its columns: the plan has others.
    const compiled = explained.build(sql.withoutPlugins(), p, dialect).compile()
    return { compile: () => ({ ...compiled, sql: `explain query plan ${compiled.sql}` }) }
  })
  return (await db.read.all(explaining, params)).map(({ detail }) => detail).join('\n')
}

type Params = typeof recordsPage extends (shape: never) => Statement<infer P, unknown> ? P : never
type Shape = Parameters<typeof recordsPage>[0]

/** How SQLite will find the rows of a list. */
async function explainQueryPlan(shape: Partial<Shape>): Promise<string> {
  const listStatement = recordsPage({
    list: 'bans',
    players: 'any',
    byActor: null,
    bySeverity: false,
    statuses: null,
    byAction: false,
    byCase: false,
    byTime: false,
    imported: null,
    withCommentBytes: false,
    isSearch: false,
    ...shape,
  })
  return explainStatement<Params>(listStatement, {
    workspaceId: 'w',
    now: 0,
    below: 10,
    limit: 51,
    userId: '1',
    userIds: ['1', '2'],
    actorUserId: 'a',
    severity: 'low',
    lowest: 0,
    actions: ['warn'],
    caseNumbers: [1, 2],
    from: 0,
    to: 1,
  })
}

test('recent reasons are read from the records of people only, newest first', async () => {
  const plan = await explainStatement(newestReasons, { workspaceId: 'w', action: 'ban', limit: 8 })
  expect(plan).toContain('USING INDEX record_by_people (workspace_id=? AND action=?)')
  expect(plan).not.toContain('TEMP B-TREE')
})

test('recent actors are read from the newest records only', async () => {
  const plan = await explainStatement(recentActors, { workspaceId: 'w', after: 1000, limit: 8 })
  expect(plan).toContain('USING INDEX record_by_case (workspace_id=? AND case_number>?)')
})

describe('no list query scans the table', () => {
  const byPlayer = 'USING INDEX record_in_force (workspace_id=? AND action=? AND user_id=?)'

  test('the ban check of one player reads the one row of its index', async () => {
    expect(await explainQueryPlan({ players: 'one' })).toContain(byPlayer)
  })

  test('the ban check of many players reads one row of that index per player', async () => {
    expect(await explainQueryPlan({ players: 'many' })).toContain(byPlayer)
  })

  test('the ban check uses its index with any other filter', async () => {
    for (const players of ['one', 'many'] as const) {
      for (const filter of [
        { byActor: 'other' as const },
        { bySeverity: true },
        { statuses: ['active'] as const },
      ]) {
        expect(await explainQueryPlan({ players, ...filter })).toContain(byPlayer)
      }
    }
  })

  test('the bans in force are read in index order, without sorting', async () => {
    const plan = await explainQueryPlan({})
    expect(plan).toContain('USING INDEX record_in_force_by_case')
    expect(plan).not.toContain('TEMP B-TREE')
  })

  test('the records of many players are found by player', async () => {
    for (const list of ['history', 'records'] as const) {
      const plan = await explainQueryPlan({ list, players: 'many' })
      expect(plan).toContain('USING INDEX record_by_player (workspace_id=? AND user_id=? ')
    }
  })

  test('the history and the records are read in index order, without sorting', async () => {
    const cases = {
      record_by_case: { list: 'records' },
      record_bans: { list: 'history' },
      record_by_player: { list: 'records', players: 'one' },
      record_by_actor: { list: 'records', byActor: 'person' },
    } as const
    for (const [index, shape] of Object.entries(cases)) {
      const plan = await explainQueryPlan(shape)
      expect(plan).toContain(`USING INDEX ${index} `)
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  test('a search reads the index of its list in order, whatever the other filters are', async () => {
    const cases = {
      record_in_force_by_case: { list: 'mutes', bySeverity: true },
      record_bans: { list: 'history', byTime: true },
      record_by_player: { list: 'history', players: 'one', byActor: 'other' },
      record_by_actor: { list: 'records', byActor: 'person', byAction: true },
      record_by_case: { list: 'records', byAction: true, statuses: ['revoked'] },
    } as const
    for (const [index, shape] of Object.entries(cases)) {
      const plan = await explainQueryPlan({ ...shape, isSearch: true })
      expect(plan).toContain(`USING INDEX ${index} `)
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  test('named cases are found by their numbers', async () => {
    expect(await explainQueryPlan({ list: 'records', byCase: true })).toContain(
      'USING INDEX record_by_case (workspace_id=? AND case_number=?)',
    )
  })
})
