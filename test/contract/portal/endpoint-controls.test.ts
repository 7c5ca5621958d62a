import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpoints } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/endpoint-controls'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

interface Named {
  readonly endpoint: string
  readonly updatedByUsername: string | null
}

const list = async () =>
  (await instance.call('GET', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession }))
    .body.controls

test('every endpoint of one workspace is told, with the name of whoever switched it', async () => {
  const untouched = await list()
  expect(untouched.map(({ endpoint }: Named) => endpoint)).toEqual([...endpoints])
  expect(untouched.every(({ updatedByUsername }: Named) => updatedByUsername === null)).toBe(true)
  const member = await instance.member(workspace.id, ['endpoint_controls.manage'])
  const body = { workspaceId: workspace.id, endpoint: 'events', mode: 'off', message: 'Until tonight.' }
  await instance.call('POST', path, { session: member.session, body })
  expect((await list()).find(({ endpoint }: Named) => endpoint === 'events')).toEqual({
    ...body,
    updatedAt: new Date(instance.clock.now()).toISOString(),
    updatedBy: member.accountId,
    updatedByUsername: expect.stringMatching(/^account /),
  })
})

test('reading them in the portal needs endpoint_controls.view', async () => {
  await replay(instance, {
    method: 'GET',
    path,
    who: 'session',
    workspaceId: workspace.id,
    query: { workspaceId: workspace.id },
    permission: 'endpoint_controls.view',
  })
})
