import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Declared } from '../support/declared-statements.ts'
import { openInstance } from '../support/instance.ts'

/** Statements that reach over workspaces on purpose: how each begins or what it asks, and why it may. */
const ACROSS_WORKSPACES: readonly { readonly asks: RegExp; readonly why: string }[] = [
  { asks: /from "api_key" where "key_hash" = \?$/, why: 'a key says by itself which workspace it is of' },
  { asks: /^select \* from "workspace_head" order by/, why: 'the doctor walks every audit chain' },
  { asks: /^delete from "idempotency" where "created_at" <= \?$/, why: 'old answers go, whoever had them' },
  {
    asks: /from "invitation" .*where "token_hash" = \?$/,
    why: 'an invitation says by itself which workspace it leads to',
  },
  { asks: /^delete from "invitation" where "expires_at" <= \?$/, why: 'expired invitations go, whosever' },
  { asks: /^select sum\("case_number"\)/, why: 'an operator sees how much the instance holds' },
  {
    asks: /from "member" where "(account|workspace)_id" in .* group by "(account|workspace)_id"$/,
    why: 'an operator sees how many workspaces an account is in, and how many members a workspace has',
  },
  {
    asks: /from "member".* where "member"\."account_id" = \?/,
    why: 'an account asks for what it is a member of',
  },
  { asks: /from "member" where "account_id" = \?/, why: 'an account asks for what it is a member of' },
]

let statements: readonly string[]
let unmet: readonly string[]
let tenants: readonly string[]

beforeAll(async () => {
  const script = join(import.meta.dir, '../support/declared-statements.ts')
  // Which statements there are does not hang on the engine.
  const env = { ...process.env, REEVE_TEST_ENGINE: '' }
  const child = Bun.spawn([process.execPath, script], { stdout: 'pipe', stderr: 'inherit', env })
  const declared = JSON.parse(await new Response(child.stdout).text()) as Declared
  statements = [...new Set(declared.sql)]
  unmet = declared.unmet
  const instance = await openInstance()
  tenants = (await instance.place.columns())
    .filter(({ column }) => column === 'workspace_id')
    .map(({ table }) => table)
  await instance.close()
}, 60_000)

const OWN_WORKSPACE = /(?:"\w+"\.)?"workspace_id" = \?/g

/** The tenant tables that a statement names after one of these words. */
const named = (words: string, sql: string): string[] =>
  [...sql.matchAll(RegExp(`(?:${words})\\s+"(\\w+)"`, 'g'))]
    .map(([, table = '']) => table)
    .filter((table) => tenants.includes(table))

const isAllowed = (sql: string) => ACROSS_WORKSPACES.some(({ asks }) => asks.test(sql))

describe('every statement on the rows of a workspace', () => {
  test('was found, the members of every family among them', () => {
    expect(statements.length).toBeGreaterThan(120)
    expect(tenants.length).toBeGreaterThan(12)
    expect(unmet).toEqual([])
  })

  test('asks for one workspace, and before anything else', () => {
    const astray = statements.filter((sql) => {
      const read = named('from|update', sql)
      if (sql.startsWith('insert') || read.length === 0 || isAllowed(sql)) return false
      const first = /where \(*(?:"\w+"\.)?"workspace_id" = \?/
      return !first.test(sql) || (sql.match(OWN_WORKSPACE)?.length ?? 0) < read.length
    })
    expect(astray).toEqual([])
  })

  test('joins another table of a workspace only within the same workspace', () => {
    const astray = statements.filter((sql) =>
      [
        ...sql.matchAll(
          /join "(\w+)"(?: as "\w+")? on (.*?)(?= (?:inner |left )?join | where | order by |$)/g,
        ),
      ].some(([, table = '', on = '']) => tenants.includes(table) && !on.includes('"workspace_id" = "')),
    )
    expect(astray).toEqual([])
  })

  test('that adds one says of which workspace it is', () => {
    const astray = statements.filter(
      (sql) => named('into', sql).length > 0 && !/^insert into "\w+" \([^)]*"workspace_id"/.test(sql),
    )
    expect(astray).toEqual([])
  })
})

test('every exception is still needed', () => {
  for (const { asks, why } of ACROSS_WORKSPACES) {
    expect({ why, found: statements.some((sql) => asks.test(sql)) }).toEqual({ why, found: true })
  }
})
