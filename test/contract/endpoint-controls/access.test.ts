import { afterAll, beforeAll, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

for (const method of ['GET', 'POST'] as const) {
  test(`${method} requires endpoint_controls.view`, async () => {
    await expectAccessRules(instance, {
      method,
      path: '/api/endpoint-controls',
      workspace: 'own',
      workspaceId: workspace.id,
      permission: 'endpoint_controls.view',
      reads: true,
    })
  })
}

test('changing requires a session with endpoint_controls.manage', async () => {
  await expectAccessRules(instance, {
    method: 'POST',
    path: '/portal/api/endpoint-controls',
    who: 'session',
    workspaceId: workspace.id,
    body: { workspaceId: workspace.id, endpoint: 'events', mode: 'off' },
    permission: 'endpoint_controls.manage',
  })
})
