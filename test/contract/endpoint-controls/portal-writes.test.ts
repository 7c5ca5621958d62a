import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'
import { setEndpointControl } from '../../support/workspace-states.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const modes = [
  ['read_only', 'endpoint_read_only'],
  ['off', 'endpoint_disabled'],
] as const

test.each(modes)(
  'while Workspaces is %s, the portal cannot rename a workspace or change its settings either',
  async (mode, reason) => {
    const { id: workspaceId, ownerSession: session } = await instance.workspace()
    const change = (fields: object) =>
      instance.request('PATCH', '/portal/api/workspace', { session, body: { workspaceId, ...fields } })
    await setEndpointControl(instance, workspaceId, 'workspaces', mode)
    for (const fields of [
      { groupName: 'Other' },
      { profileUrl: 'https://example.com/{id}' },
      { defaultPlatform: 'steam' },
      { approvalHours: '5' },
    ])
      expect(await expectRejectedUnchanged(instance, () => change(fields))).toMatchObject({
        status: 403,
        reason,
      })
    await setEndpointControl(instance, workspaceId, 'workspaces', null)
    expect((await change({ groupName: 'Other' })).status).toBe(200)
  },
)

test.each(modes)('while Moderation is %s, nobody claims or releases a case', async (mode, reason) => {
  const { id: workspaceId, ownerSession: session } = await instance.workspace()
  const note = { workspaceId, action: 'note', userId: '5', reason: 'Seen' }
  const { body } = await instance.request('POST', '/api/moderation', { session, body: note })
  const recordId = body.record.id
  const claim = () =>
    instance.request('POST', '/portal/api/claims', { session, body: { workspaceId, recordId } })
  const query = new URLSearchParams({ workspaceId, recordId })
  const release = () => instance.request('DELETE', `/portal/api/claims?${query}`, { session })
  await setEndpointControl(instance, workspaceId, 'moderation', mode)
  for (const step of [claim, release])
    expect(await expectRejectedUnchanged(instance, step)).toMatchObject({ status: 403, reason })
  await setEndpointControl(instance, workspaceId, 'moderation', null)
  expect([(await claim()).status, (await release()).status]).toEqual([200, 200])
})
