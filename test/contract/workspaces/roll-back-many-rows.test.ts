import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DESK_TABLES, insertDeskRows } from '../../support/desk-rows.ts'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readLastJob, stopAfter } from '../../support/workspace-jobs.ts'
import { archiveWorkspace, createFilledWorkspace, createWorkspaceRequests } from './fixture.ts'
import { readContentRows } from './job-fixture.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

/** The most rows that a transaction deletes or inserts. */
const MAX_ROWS = 200
const MAX_TRANSACTIONS = 300

const rows = (count: number) => ({
  rule_version: count,
  approval: 8,
  assignment: 8,
  pinned_note: count,
  player_link: count,
})

test('a roll-back replaces tables with many rows in small transactions, and continues after an interruption of each', async () => {
  const workspace = await createFilledWorkspace(instance)
  const { workspaces, moderate } = createWorkspaceRequests(instance, workspace)
  const { id: workspaceId } = workspace
  await moderate({ action: 'ban', userId: '77', reason: 'Exploits' })
  await insertDeskRows(instance.db, instance.ports, workspaceId, rows(220))
  const read = async () => {
    const stored = await readContentRows(instance)
    return Object.fromEntries(DESK_TABLES.map((table) => [table, stored[table]]))
  }
  const before = await read()
  const archive = await archiveWorkspace(instance, workspace)
  await instance.runJobs()
  await workspaces({ id: workspaceId, archive: false })
  await instance.storage.query(
    `delete from player_link where workspace_id = ${idLiteral(workspaceId)} and first_user_id < '100000120'`,
  )
  await instance.storage.query(
    `update pinned_note set text = 'Changed' where workspace_id = ${idLiteral(workspaceId)}`,
  )
  await instance.storage.query(
    `update assignment set assigned_at = 7 where workspace_id = ${idLiteral(workspaceId)}`,
  )
  await workspaces({ id: workspaceId, archive: true })
  await instance.runJobs()
  await workspaces({ id: workspaceId, fromArchive: archive.id })

  let stored = await read()
  let largest = 0
  for (let transactions = 1; ; transactions++) {
    await instance.runJobs(stopAfter(2))
    const next = await read()
    for (const table of DESK_TABLES) {
      const [old, current] = [new Set(stored[table]), new Set(next[table])]
      largest = Math.max(largest, old.symmetricDifference(current).size)
    }
    stored = next
    const { body } = await instance.request(
      'GET',
      `/api/moderation?workspaceId=${workspaceId}&banList=true&userId=77`,
      { key: workspace.key },
    )
    expect(body.bans).toHaveLength(1)
    const { state } = await readLastJob(instance, workspace)
    if (state === 'succeeded') break
    expect(state).toBe('running')
    expect(transactions).toBeLessThan(MAX_TRANSACTIONS)
  }
  expect(await read()).toEqual(before)
  expect(largest).toBeGreaterThan(0)
  expect(largest).toBeLessThanOrEqual(MAX_ROWS)
  await instance.runJobs()
  expect((await readContentRows(instance)).workspace_job_row).toHaveLength(0)
}, 120_000)
