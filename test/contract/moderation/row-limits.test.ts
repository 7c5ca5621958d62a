import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insertAll, type RecordTable, statement } from '@reeve/db'
import { createWarningRow } from '../../bench/record-rows.ts'
import { insertDeskRows } from '../../support/desk-rows.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

const NOTHING = { rule_version: 0, approval: 0, assignment: 0, pinned_note: 0, player_link: 0 }
const ROWS_PER_UNIT = 500

const insertRecord = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
}, 60_000)
afterAll(() => instance.close())

const send = (path: string, body: object) =>
  instance.request('POST', path, {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, ...body },
  })
const fill = (counts: Partial<typeof NOTHING>) =>
  insertDeskRows(instance.db, instance.ports, workspace.id, { ...NOTHING, ...counts })

test('a workspace has at most 10,000 pinned notes', async () => {
  await fill({ pinned_note: 9999 })
  const pin = () => send('/portal/api/pinned-notes', { userId: '1000000', text: 'Known from elsewhere' })
  expect((await pin()).status).toBe(200)
  const { status, body } = await pin()
  expect([status, body.error]).toEqual([
    409,
    'In a workspace at most 10000 notes can be pinned. Unpin some first.',
  ])
}, 120_000)

test('a workspace has at most 20,000 links between players', async () => {
  await fill({ player_link: 19_999 })
  const link = (userId: string) =>
    send('/api/moderation/links', { userId, linkedUserId: '8', confidence: 'low', reason: 'Same device' })
  expect((await link('6')).status).toBe(200)
  const { status, body } = await link('7')
  expect([status, body.error]).toEqual([
    409,
    'In a workspace at most 20000 links can exist. Delete some first.',
  ])
}, 120_000)

test('a workspace has at most 10,000 assigned cases', async () => {
  for (let start = 0; start < 10_001; start += ROWS_PER_UNIT)
    await instance.db.write(async (tx) => {
      for (let index = start; index < Math.min(start + ROWS_PER_UNIT, 10_001); index++)
        await tx.run(
          insertRecord,
          createWarningRow(instance.ports.now(), index, { workspace_id: workspace.id }),
        )
    })
  await fill({ assignment: 9999 })
  const { records } = (
    await instance.request('GET', `/api/moderation?workspaceId=${workspace.id}&limit=2`, {
      key: workspace.key,
    })
  ).body
  const assign = ({ id }: { id: string }) =>
    send('/portal/api/assignments', { recordId: id, accountId: workspace.ownerId })
  expect((await assign(records[0])).status).toBe(200)
  const { status, body } = await assign(records[1])
  expect([status, body.error]).toEqual([
    409,
    'In a workspace at most 10000 cases can be assigned at the same time. Unassign some that are done.',
  ])
}, 120_000)
