import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse, UNKNOWN_ID } from '../../support/instance.ts'
import { expectRejectedUnchanged, readStoredRows } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let operator: string

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  operator = await instance.session(await instance.account('Operator', true))
})
afterAll(() => instance.close())

const report = (session: string, body: object = {}): Promise<TestResponse> =>
  instance.request('POST', '/portal/api/reports', {
    session,
    body: { workspaceId: workspace.id, message: 'It pretends to be us.', ...body },
  })
const list = async (query: Record<string, string> = { open: 'true' }) =>
  (await instance.request('GET', `/admin/api/reports?${new URLSearchParams(query)}`, { session: operator }))
    .body
const resolve = (id: string) =>
  instance.request('PATCH', '/admin/api/reports', { session: operator, body: { id } })
const countOpen = async () =>
  (await instance.request('GET', '/admin/api/instance', { session: operator })).body.instance.openReports
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('reporting a workspace', () => {
  test('tells the operators, once per account until it is resolved, and nobody in the workspace', async () => {
    const member = await instance.member(workspace.id, [])
    const { status, body } = await report(member.session)
    expect(status).toBe(200)
    expect(await countOpen()).toBe('1')
    expect((await list()).reports).toEqual([
      {
        id: body.id,
        workspaceId: workspace.id,
        groupName: expect.any(String),
        owner: expect.any(String),
        reporterId: member.accountId,
        reporter: expect.any(String),
        message: 'It pretends to be us.',
        createdAt: new Date(instance.ports.now()).toISOString(),
        resolvedAt: null,
      },
    ])
    expect((await expectRejected(() => report(member.session))).status).toBe(409)
    const audit = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    expect(audit.text).not.toContain('reports.')
    expect((await resolve(body.id)).body.report.resolvedAt).not.toBeNull()
    expect([await countOpen(), (await list()).reports]).toEqual(['0', []])
    expect((await list({})).reports).toHaveLength(1)
    expect((await expectRejected(() => resolve(body.id))).status).toBe(409)
    expect((await report(member.session)).status).toBe(200)
    const actions = ((await readStoredRows(instance)).audit ?? [])
      .map((line) => JSON.parse(line))
      .filter(({ target_id: target }) => target === body.id)
      .map(({ action }) => action)
    expect(actions.sort()).toEqual(['reports.create', 'reports.resolve'])
  })

  test('is possible for those who are invited, and for nobody else: an unknown workspace gets the same response', async () => {
    const accountId = await instance.account('Guest of reports')
    const session = await instance.session(accountId)
    const { requestId: _, ...foreign } = await expectRejected(() => report(session))
    const { requestId: __, ...unknown } = await expectRejected(() =>
      report(session, { workspaceId: UNKNOWN_ID }),
    )
    expect(foreign).toEqual(unknown)
    expect(foreign).toMatchObject({ status: 403, reason: 'not_a_member' })
    await instance.request('POST', '/portal/api/invitations', {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, username: 'guest of reports' },
    })
    expect((await report(session)).status).toBe(200)
  })

  test('stops at 20 open reports per account, and names the fields that are missing', async () => {
    const session = await instance.session(await instance.account('Busy reporter'))
    const create = async () =>
      (await instance.request('POST', '/api/workspaces', { session, body: { groupName: 'Mine' } })).body
        .workspace.id as string
    for (let count = 0; count < 20; count++)
      expect((await report(session, { workspaceId: await create() })).status).toBe(200)
    const workspaceId = await create()
    expect((await expectRejected(() => report(session, { workspaceId }))).status).toBe(409)
    const { details } = await expectRejected(() =>
      instance.request('POST', '/portal/api/reports', { session, body: {} }),
    )
    expect(details.map(({ field }: { field: string }) => field)).toEqual(['workspaceId', 'message'])
  })
})

test('only operators list and resolve reports', async () => {
  const { session } = await instance.member(workspace.id, [])
  const { body } = await report(session)
  const request = {
    path: '/admin/api/reports',
    who: 'operator',
    workspaceId: workspace.id,
    workspace: 'none',
    permission: null,
  } as const
  await expectAccessRules(instance, { ...request, method: 'GET' })
  await expectAccessRules(instance, { ...request, method: 'PATCH', body: { id: body.id } })
  expect(instance.unexpectedErrors).toEqual([])
})
