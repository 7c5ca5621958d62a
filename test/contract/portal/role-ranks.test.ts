import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse, UNKNOWN_ID } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/roles/ranks'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const createRole = (rank: number) => instance.role(workspace.id, [], rank)
const change = (
  changes: readonly (readonly [id: string, rank: number, version?: number])[],
  session = workspace.ownerSession,
) =>
  instance.request('POST', path, {
    session,
    body: {
      workspaceId: workspace.id,
      ranks: changes.map(([id, rank, version = 1]) => `${id}:${rank}:${version}`).join(','),
    },
  })
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('the ranks of several roles', () => {
  test('change in one request, with an audit entry for each role', async () => {
    const [first, second] = [await createRole(11), await createRole(12)]
    const { status, body } = await change([
      [first, 13],
      [second, 11],
    ])
    expect(status).toBe(200)
    const ranks = body.roles
      .filter(({ id }: { id: string }) => [first, second].includes(id))
      .map(({ id, rank, version }: Record<string, string>) => [id, rank, version])
    expect(ranks).toEqual([
      [first, '13', '2'],
      [second, '11', '2'],
    ])
    for (const [id, before, after] of [
      [first, '11', '13'],
      [second, '12', '11'],
    ] as const) {
      const audit = await instance.request(
        'GET',
        `/portal/api/audit?workspaceId=${workspace.id}&targetId=${id}`,
        { session: workspace.ownerSession },
      )
      expect(audit.body.entries[0]).toMatchObject({
        action: 'roles.update',
        changes: { before: { rank: before }, after: { rank: after } },
      })
    }
  })

  test('change for all roles or for none', async () => {
    const [first, second] = [await createRole(21), await createRole(22)]
    await change([[second, 23]])
    expect(
      await expectRejected(() =>
        change([
          [first, 24],
          [second, 25],
        ]),
      ),
    ).toMatchObject({
      status: 412,
      code: 'version_mismatch',
      error: expect.stringMatching(/^“.+” was changed by someone else in the meantime\.$/),
    })
    expect(
      await expectRejected(() =>
        change([
          [first, 24],
          [UNKNOWN_ID, 25],
        ]),
      ),
    ).toMatchObject({ status: 404 })
  })

  test('stay below the rank of the actor, and of roles below it', async () => {
    const { session } = await instance.member(workspace.id, ['roles.view', 'roles.manage'], 30)
    const [below, above] = [await createRole(5), await createRole(40)]
    for (const changes of [[[below, 30]], [[above, 20]], [[workspace.ownerRoleId, 20]]] as const)
      expect(await expectRejected(() => change(changes, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    expect((await change([[below, 29]], session)).status).toBe(200)
  })

  test('are refused in any other form', async () => {
    const id = await createRole(6)
    const send = (ranks?: string) =>
      instance.request('POST', path, {
        session: workspace.ownerSession,
        body: { workspaceId: workspace.id, ...(ranks === undefined ? {} : { ranks }) },
      })
    for (const ranks of [undefined, '', id, `${id}:7`, `${id}:0:1`, `${id}:7:1:1`, `${id}:1000000:1`]) {
      const { status, details } = await expectRejected(() => send(ranks))
      expect([ranks, status, details[0].field]).toEqual([ranks, 400, 'ranks'])
    }
    const many = Array.from({ length: 201 }, () => `${id}:7:1`).join(',')
    expect((await expectRejected(() => send(many))).details[0].message).toBe('must list at most 200 roles')
  })

  test('of another workspace get the same response as unknown ones', async () => {
    const foreignRole = await instance.role((await instance.workspace()).id, [])
    const [foreign, unknown] = await Promise.all(
      [foreignRole, UNKNOWN_ID].map(async (id) => {
        const { requestId: _, ...rest } = await expectRejected(() => change([[id, 3]]))
        return rest
      }),
    )
    expect(foreign).toEqual(unknown as object)
  })

  test('require roles.manage', async () => {
    const id = await createRole(4)
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      who: 'session',
      workspaceId: workspace.id,
      body: { workspaceId: workspace.id, ranks: `${id}:3:1` },
      permission: 'roles.manage',
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})
