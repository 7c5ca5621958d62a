import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { endpoints } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

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

test('a change can be limited to the control that was read', async () => {
  const { id: workspaceId, ownerSession: session } = await instance.workspace()
  const change = (mode: string, expectedUpdatedAt?: string | null) =>
    instance.request('POST', path, {
      session,
      body: { workspaceId, endpoint: 'departments', mode, expectedUpdatedAt },
    })
  const first = await change('off', null)
  expect(first.body.control).toMatchObject({ mode: 'off' })
  instance.clock.advance(1)
  for (const stale of [null, new Date(instance.clock.now()).toISOString()])
    expect(await expectRejectedUnchanged(instance, () => change('on', stale))).toMatchObject({
      status: 412,
      code: 'version_mismatch',
    })
  expect((await change('read_only', first.body.control.updatedAt)).status).toBe(200)
  expect((await change('on', first.body.control.updatedAt)).status).toBe(412)
  expect((await change('on')).body.control).toMatchObject({ mode: 'on' })
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

describe('an endpoint that is not fully on', () => {
  const setMode = (endpoint: string, mode: string, message?: string) =>
    instance.request('POST', path, {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, endpoint, mode, ...(message === undefined ? {} : { message }) },
    })

  test('is known to every member, with its message, and to nobody else', async () => {
    const member = await instance.member(workspace.id, [])
    const readMemberships = async (session: string) =>
      (await instance.request('GET', '/portal/api/me', { session })).body.workspaces
    await setMode('events', 'on')
    const [before] = await readMemberships(member.session)
    expect(before.restrictedEndpoints).toEqual([])
    await setMode('moderation', 'read_only', 'Being migrated.')
    await setMode('departments', 'off')
    const [membership] = await readMemberships(member.session)
    expect(membership.restrictedEndpoints).toEqual([
      { endpoint: 'departments', mode: 'off', message: null },
      { endpoint: 'moderation', mode: 'read_only', message: 'Being migrated.' },
    ])
    const other = await instance.workspace()
    const [otherMembership] = await readMemberships(other.ownerSession)
    expect(otherMembership.restrictedEndpoints).toEqual([])
  })

  test('rejects changes of departments through the portal too, which still reads them', async () => {
    const { id: workspaceId, ownerSession: session } = workspace
    await setMode('departments', 'on')
    const { body: created } = await instance.request('POST', '/api/departments', {
      session,
      body: { workspaceId, name: 'Rangers' },
    })
    const { id } = created.department
    for (const [mode, reason] of [
      ['read_only', 'endpoint_read_only'],
      ['off', 'endpoint_disabled'],
    ] as const) {
      await setMode('departments', mode)
      for (const [route, body] of [
        ['members', { id, memberIds: '' }],
        ['order', { ids: id }],
      ] as const) {
        const response = await instance.request('POST', `/portal/api/departments/${route}`, {
          session,
          body: { workspaceId, ...body },
        })
        expect([mode, route, response.status, response.body.reason]).toEqual([mode, route, 403, reason])
      }
      const list = `/portal/api/departments?workspaceId=${workspaceId}`
      expect((await instance.request('GET', list, { session })).status).toBe(200)
    }
  })
})
