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

interface ActorNames {
  readonly endpoint: string
  readonly updatedByUsername: string | null
}

const list = async () =>
  (await instance.request('GET', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession }))
    .body.controls

test('every endpoint of one workspace is told, with the name of whoever switched it', async () => {
  const untouched = await list()
  expect(untouched.map(({ endpoint }: ActorNames) => endpoint)).toEqual([...endpoints])
  expect(untouched.every(({ updatedByUsername }: ActorNames) => updatedByUsername === null)).toBe(true)
  const member = await instance.member(workspace.id, ['endpoint_controls.manage'])
  const body = { workspaceId: workspace.id, endpoint: 'events', mode: 'off', message: 'Until tonight.' }
  await instance.request('POST', path, { session: member.session, body })
  expect((await list()).find(({ endpoint }: ActorNames) => endpoint === 'events')).toEqual({
    ...body,
    updatedAt: new Date(instance.clock.now()).toISOString(),
    updatedBy: member.accountId,
    updatedByUsername: expect.stringMatching(/^account /),
  })
})

test('reading them in the portal needs endpoint_controls.view', async () => {
  await expectAccessRules(instance, {
    method: 'GET',
    path,
    who: 'session',
    workspaceId: workspace.id,
    query: { workspaceId: workspace.id },
    permission: 'endpoint_controls.view',
  })
})
