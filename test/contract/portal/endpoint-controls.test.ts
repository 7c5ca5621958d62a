import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpoints } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/endpoint-controls'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

interface ListedControl {
  readonly endpoint: string
  readonly updatedByUsername: string | null
}

const list = async () =>
  (await instance.request('GET', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession }))
    .body.controls

test('lists every endpoint of a workspace, with the username of who last changed it', async () => {
  const unchangedControls = await list()
  expect(unchangedControls.map(({ endpoint }: ListedControl) => endpoint)).toEqual([...endpoints])
  expect(unchangedControls.every(({ updatedByUsername }: ListedControl) => updatedByUsername === null)).toBe(
    true,
  )
  const member = await instance.member(workspace.id, ['endpoint_controls.manage'])
  const body = { workspaceId: workspace.id, endpoint: 'events', mode: 'off', message: 'Until tonight.' }
  await instance.request('POST', path, { session: member.session, body })
  expect((await list()).find(({ endpoint }: ListedControl) => endpoint === 'events')).toEqual({
    ...body,
    updatedAt: new Date(instance.clock.now()).toISOString(),
    updatedBy: member.accountId,
    updatedByUsername: expect.stringMatching(/^account /),
  })
})

test('reading in the portal requires endpoint_controls.view', async () => {
  await expectAccessRules(instance, {
    method: 'GET',
    path,
    who: 'session',
    workspaceId: workspace.id,
    query: { workspaceId: workspace.id },
    permission: 'endpoint_controls.view',
  })
})
