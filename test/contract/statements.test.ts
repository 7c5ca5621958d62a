import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { DeclaredStatements } from '../support/declared-statements.ts'
import { openInstance } from '../support/instance.ts'

/** Statements that intentionally cross workspaces: a part of each, and the reason. */
const ACROSS_WORKSPACES: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /from "api_key" where "key_hash" = \?$/, why: 'the API key determines its workspace' },
  {
    pattern: /^select .* from "api_key" where "restored_at" is not null and .* limit \?$/,
    why: 'the doctor lists the keys of all workspaces that a restore has brought back',
  },
  { pattern: /^select \* from "workspace_head" order by/, why: 'the doctor verifies every audit chain' },
  {
    pattern: /from "workspace_head" left join "activity_progress" on/,
    why: 'a job counts the moderation actions of all workspaces',
  },
  {
    pattern: /from "workspace_head" inner join "workspace" on .* order by "workspace_id" limit \?$/,
    why: 'a job counts the stored bytes of all workspaces',
  },
  {
    pattern: /from "idempotency" where "created_at" <= \? and .* order by "created_at" desc/,
    why: 'cleanup finds the expired responses of all workspaces',
  },
  {
    pattern: /from "event" where "image_url" = \? limit \?$/,
    why: 'an image is kept if an event of any workspace has it',
  },
  {
    pattern: /from "event" where "image_url" = \? and "published" = 1 limit \?$/,
    why: 'the image of a published event of any workspace is public',
  },
  {
    pattern: /from "archive_image" where "hash" = \? limit \?$/,
    why: 'an image is kept if an archive of any workspace needs it',
  },
  {
    pattern: /from "evidence_file" where \("workspace_id", "id"\) > .* limit \?$/,
    why: 'cleanup finds the files of all workspaces that no record lists',
  },
  {
    pattern: /from "evidence_file" where "id" = \? .* from "archive_evidence" where "file_id" = \? limit \?$/,
    why: 'a file in the bucket is kept if a record or an archive of any workspace needs it',
  },
  {
    pattern: /from "invitation" .*where "token_hash" = \?/,
    why: 'the invitation token determines its workspace',
  },
  {
    pattern: /from "invitation" .*where (?:"invitation"\.)?"invitee_id" = \?/,
    why: 'an account reads the invitations that it has received',
  },
  {
    pattern: /^delete from "invitation" where .* where "expires_at" <= \? order by "expires_at" limit \?\)$/,
    why: 'cleanup deletes expired invitations of all workspaces',
  },
  {
    pattern: /^select "id" from "player_name" order by "id" desc limit/,
    why: 'the newest name of the instance: where every search in the index of names begins',
  },
  {
    pattern: /^select \* from "workspace_job" where "state" = \? and "id" > \? order by "id" limit \?$/,
    why: 'one job of the instance runs at a time: the oldest',
  },
  {
    pattern: /^select count\(\*\) as "count" from "workspace_job" where "state" = \? and "id" < \?$/,
    why: 'a job waits for those of other workspaces',
  },
  {
    pattern: /^select \* from "workspace_job" where "id" = \?$/,
    why: 'an operator names a job by its ID',
  },
  {
    pattern: /from "workspace_job" where "state" in .* group by "state"$/,
    why: 'the metrics count the unfinished jobs of the instance',
  },
  {
    pattern: /from "workspace_job" inner join "workspace" .* where "workspace_job"\."finished_at" is null/,
    why: 'an operator lists the unfinished jobs',
  },
  {
    pattern: /^select \* from "batch" .*where "finished_at" is null and "id" > \? order by "id" limit \?$/,
    why: 'one batch of the instance runs at a time: the oldest',
  },
  {
    pattern:
      /^select "workspace_id", "id" from "archive" where "deleted_at" is not null and "id" > \? order by "id" limit \?$/,
    why: 'the bytes of deleted archives of all workspaces are deleted in slices',
  },
  {
    pattern:
      /from "workspace_job" where "has_staged_rows" = 1 and "finished_at" is not null and "id" > .* limit \?$/,
    why: 'what finished jobs of all workspaces leave behind is deleted in slices',
  },
  {
    pattern: /^delete from "workspace_job" where .* where "finished_at" <= \? .* limit \?\)$/,
    why: 'cleanup deletes old jobs of all workspaces',
  },
  {
    pattern:
      /^select \* from "import" where "state" = \? and "id" > \? and "finished_at" is null order by "id" limit \?$/,
    why: 'one import of the instance runs at a time: the oldest',
  },
  {
    pattern:
      /^select \* from "erasure" where "finished_at" is null and \("created_at", "id"\) > .* limit \?$/,
    why: 'the players of all workspaces are erased one after the other',
  },
  {
    pattern: /^select "workspace_id", "id"(, "size_bytes")? from "import" where .* limit \?$/,
    why: 'the files and the reports of old imports of all workspaces are deleted in slices',
  },
  {
    pattern: /from "api_key" inner join "workspace" .* where "api_key"\."created_by" = \?/,
    why: 'an operator sees the API keys of an account before disabling it',
  },
  {
    pattern: /from "api_key" inner join "account" .* order by "api_key"\."workspace_id"/,
    why: 'the doctor finds API keys whose creator is gone',
  },
  {
    pattern: /from "webhook" left join "api_key" .* order by "webhook"\."workspace_id", "webhook"\."id"/,
    why: 'the doctor finds webhooks whose creator is gone',
  },
  {
    pattern: /from "webhook" left join "api_key" .* where "webhook"\."state" = \? and \("own"\."id" = \?/,
    why: 'an operator sees the active webhooks of an account before disabling it',
  },
  {
    pattern:
      /from "former_member" inner join "account" .* where "blank_sequence" is not null and "blanked_at" is null limit \?$/,
    why: 'a job blanks names in all workspaces',
  },
  { pattern: /^select sum\("case_number"\)/, why: 'an operator sees the size of the instance' },
  {
    pattern: /from "member" where "(account|workspace)_id" in .* group by "(account|workspace)_id"$/,
    why: 'an operator sees how many workspaces an account is in, and how many members a workspace has',
  },
  {
    pattern: /from "member".* where "member"\."account_id" = \?/,
    why: 'an account reads its own memberships',
  },
  {
    pattern:
      /^select "workspace_id", "id", .* from "delivery" where "done_at" <= \? order by "done_at" limit \?$/,
    why: 'cleanup deletes old deliveries of all workspaces',
  },
  {
    pattern: /^select .* from "webhook" where "deleted_at" is not null limit \?$/,
    why: 'cleanup deletes what deleted webhooks of all workspaces leave behind',
  },
  {
    pattern: /^select "workspace_id" from "delivery_cursor" where "consumer" = \? and "workspace_id" > \?/,
    why: 'a job reads the changes of all workspaces with webhooks',
  },
  {
    pattern: /^select .* from "webhook" where "next_due_at" is not null .*order by "next_due_at" limit \?$/,
    why: 'a job sends the deliveries of all workspaces that are due',
  },
  {
    pattern: /^select .* from "delivery" where "leased_until" is not null limit \?$/,
    why: 'a job continues the deliveries of all workspaces that a crash has interrupted',
  },
  {
    pattern: /from "webhook" where "state_reason" is not null and .* order by "workspace_id", "id" limit \?$/,
    why: 'the doctor lists the webhooks of all workspaces that were paused or disabled',
  },
  {
    pattern: /^select "workspace_id", "id", "secret", "previous_secret" from "webhook" where .* limit \?$/,
    why: 'another key of the instance encrypts the secrets of all workspaces',
  },
  {
    pattern: /from "record" inner join "workspace" .* where "appeal_code" = \?/,
    why: 'the appeal code determines its ban',
  },
  {
    pattern: /^select "workspace_id", "id" from "appeal" where "closed_at" is null .* limit \?$/,
    why: 'cleanup closes the appeals of expired bans of all workspaces',
  },
  {
    pattern: /from "retention" inner join "workspace" on .* order by "retention"\."workspace_id" limit \?$/,
    why: 'a job deletes the records of all workspaces that their rules no longer keep',
  },
  { pattern: /from "member" where "account_id" = \?/, why: 'an account reads its own memberships' },
]

let statements: readonly string[]
let unusedFamilies: readonly string[]
let tenants: readonly string[]

beforeAll(async () => {
  const script = join(import.meta.dir, '../support/declared-statements.ts')
  // The set of statements does not depend on the engine.
  const env = { ...process.env, REEVE_TEST_ENGINE: '' }
  const child = Bun.spawn([process.execPath, script], { stdout: 'pipe', stderr: 'inherit', env })
  const declared = JSON.parse(await new Response(child.stdout).text()) as DeclaredStatements
  statements = [...new Set(declared.sql)]
  unusedFamilies = declared.unusedFamilies
  const instance = await openInstance()
  tenants = (await instance.storage.listColumns())
    .filter(({ column }) => column === 'workspace_id')
    .map(({ table }) => table)
  await instance.close()
}, 60_000)

const OWN_WORKSPACE = /(?:"\w+"\.)?"workspace_id" = \?/g

/** The tenant tables that a statement names after one of these keywords. */
const listTableNames = (keywords: string, sql: string): string[] =>
  [...sql.matchAll(RegExp(`(?:${keywords})\\s+"(\\w+)"`, 'g'))]
    .map(([, table = '']) => table)
    .filter((table) => tenants.includes(table))

const isAllowed = (sql: string) => ACROSS_WORKSPACES.some(({ pattern }) => pattern.test(sql))

describe('every statement on the rows of a workspace', () => {
  test('is registered, including the members of every family', () => {
    expect(statements.length).toBeGreaterThan(120)
    expect(tenants.length).toBeGreaterThan(12)
    expect(unusedFamilies).toEqual([])
  })

  test('filters by workspace first', () => {
    const violations = statements.filter((sql) => {
      const tables = listTableNames('from|update', sql)
      if (sql.startsWith('insert') || tables.length === 0 || isAllowed(sql)) return false
      const first = /where \(*(?:"\w+"\.)?"workspace_id" = \?/
      return !first.test(sql) || (sql.match(OWN_WORKSPACE)?.length ?? 0) < tables.length
    })
    expect(violations).toEqual([])
  })

  test('joins another table of a workspace only within the same workspace', () => {
    const violations = statements.filter((sql) =>
      [
        ...sql.matchAll(
          /join "(\w+)"(?: as "\w+")? on (.*?)(?= (?:inner |left )?join | where | order by |$)/g,
        ),
      ].some(
        ([, table = '', onTables = '']) =>
          tenants.includes(table) && !onTables.includes('"workspace_id" = "'),
      ),
    )
    expect(violations).toEqual([])
  })

  test('that inserts a row sets its workspace', () => {
    const violations = statements.filter(
      (sql) =>
        listTableNames('into', sql).length > 0 && !/^insert into "\w+" \([^)]*"workspace_id"/.test(sql),
    )
    expect(violations).toEqual([])
  })
})

test('every exception is still needed', () => {
  for (const { pattern, why } of ACROSS_WORKSPACES) {
    expect({ why, found: statements.some((sql) => pattern.test(sql)) }).toEqual({ why, found: true })
  }
})
