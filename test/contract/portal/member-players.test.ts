import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

const PATH = '/portal/api/members/players'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

test('the players of a member are not replaced if there are others than the request expects', async () => {
  const { accountId } = await instance.member(workspace.id, [], 5)
  const replace = (fields: object, headers = {}) =>
    instance.request('PATCH', PATH, {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, accountId, ...fields },
      headers,
    })
  expect((await replace({ userIds: '261', expectedUserIds: '' })).body.userIds).toEqual(['261'])
  await replace({ userIds: '261,156' })
  for (const expectedUserIds of ['', '261', '261,300', '261,156,300'])
    expect(
      await expectRejectedUnchanged(instance, () => replace({ userIds: '300', expectedUserIds })),
    ).toMatchObject({ status: 412, code: 'version_mismatch' })
  // What the request would store is stored already.
  expect((await replace({ userIds: '261,156', expectedUserIds: '261' })).status).toBe(412)
  const { body } = await replace({ userIds: '78,300', expectedUserIds: '261, 156' })
  expect(body.userIds).toEqual(['300', '78'])
  expect((await replace({ userIds: '' }, { 'if-match': '"1"' })).status).toBe(400)
  expect((await replace({ userIds: '', expectedUserIds: '78,300' })).body.userIds).toEqual([])
})
