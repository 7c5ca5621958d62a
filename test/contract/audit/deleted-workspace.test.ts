import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { parseAnchors, readAnchors, verifyAudit } from '@reeve/audit'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import {
  createArchivedWorkspace,
  requestDeletion,
  runDeletionJob,
  UNDO_MS,
} from '../workspaces/deletion-fixture.ts'
import type { Workspace } from '../workspaces/fixture.ts'
import { createAttacker } from './attacks.ts'

setDefaultTimeout(60_000)

const NAME = 'Harbour staff'
const AT = '2026-11-22T18:00:00.000Z'

const renameDeletion = statement<{ action: string }>()((sql, p) =>
  sql.updateTable('audit').set({ action: p.action }).where('action', '=', 'workspaces.delete'),
)

let instance: Instance
let workspace: Workspace
let anchorLine: string
beforeEach(async () => {
  instance = await openInstance()
  workspace = await createArchivedWorkspace(instance)
  const chains: Record<string, unknown> = {}
  for await (const { chain, anchor } of readAnchors(instance.db.read, new Map())) chains[chain] = anchor
  expect(Object.keys(chains)).toContain(workspace.id)
  anchorLine = JSON.stringify({ time: AT, chains })
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const verifyWithAnchors = async () =>
  (await verifyAudit(instance.db.read, instance.ports, await parseAnchors([anchorLine]))).faults

async function deleteWorkspace(): Promise<void> {
  expect((await requestDeletion(instance, workspace, NAME)).status).toBe(200)
  instance.clock.advance(UNDO_MS)
  expect(await runDeletionJob(instance)).toEqual([NAME])
}

test('anchors of a workspace are accepted once it was deleted for good, as the instance says', async () => {
  await deleteWorkspace()
  expect(await verifyWithAnchors()).toEqual([])
})

test('anchors find that the rows of a workspace were removed without a deletion', async () => {
  await createAttacker(instance).removeChain(workspace.id)
  expect(await verifyWithAnchors()).toEqual([
    { workspaceId: workspace.id, sequence: 0, fault: 'the chain was removed, or its head' },
  ])
})

test('anchors find that a deletion was taken out of the chain of the instance', async () => {
  await deleteWorkspace()
  await instance.db.write((tx) => tx.run(renameDeletion, { action: 'accounts.create' }))
  const faults = await verifyWithAnchors()
  expect(faults).toContainEqual({
    workspaceId: workspace.id,
    sequence: 0,
    fault: 'the chain was removed, or its head',
  })
  expect(faults).toContainEqual(
    expect.objectContaining({ workspaceId: 'instance', fault: 'the row was altered' }),
  )
})
