import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/departments'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** Creates a department. @returns its id */
async function department(name: string): Promise<string> {
  const response = await instance.request('POST', path, {
    key: workspace.key,
    body: { workspaceId: workspace.id, name },
  })
  return response.body.department.id
}

describe('a caller without permission gets 403 and changes nothing', () => {
  test('reading the list needs departments.view', async () => {
    await department('Quiet')
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'departments.view',
    })
  })

  test('reading one needs departments.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id, id: await department('Read') },
      permission: 'departments.view',
    })
  })

  test('creating needs departments.manage', async () => {
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      workspaceId: workspace.id,
      body: { workspaceId: workspace.id, name: 'Public relations' },
      permission: 'departments.manage',
    })
  })

  for (const action of ['update', 'delete', 'restore'] as const) {
    for (const method of ['POST', 'PATCH'] as const) {
      test(`${method} ${action} needs departments.manage`, async () => {
        const id = await department(`${method} ${action}`)
        const body = { workspaceId: workspace.id, id, action }
        if (action === 'restore') {
          await instance.request('PATCH', path, { key: workspace.key, body: { ...body, action: 'delete' } })
        }
        await expectAccessRules(instance, {
          method,
          path,
          workspaceId: workspace.id,
          body: action === 'update' ? { ...body, color: '#112233' } : body,
          permission: 'departments.manage',
        })
      })
    }
  }

  test('deleting needs departments.manage', async () => {
    await expectAccessRules(instance, {
      method: 'DELETE',
      path,
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id, id: await department('Short-lived') },
      permission: 'departments.manage',
    })
  })
})

describe("another workspace's department", () => {
  test('is not found, with the same response as for an id that does not exist', async () => {
    const other = await instance.workspace()
    const id = await department('Hidden')
    const neverWas = '0198c0de-dead-7000-8000-00000000dead'
    const before = await readStoredRows(instance)
    const readResponses = async (target: string) => {
      const query = `workspaceId=${other.id}&id=${target}`
      const calls = [
        instance.request('GET', `${path}?${query}`, { key: other.key }),
        instance.request('GET', `${path}?${query}&deleted=true`, { key: other.key }),
        instance.request('DELETE', `${path}?${query}`, { key: other.key }),
        ...['update', 'delete', 'restore'].flatMap((action) =>
          ['POST', 'PATCH'].map((method) =>
            instance.request(method, path, {
              key: other.key,
              body: {
                workspaceId: other.id,
                id: target,
                action,
                ...(action === 'update' && { name: 'Mine' }),
              },
            }),
          ),
        ),
      ]
      return (await Promise.all(calls)).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    }
    const actual = await readResponses(id)
    expect(actual).toEqual(await readResponses(neverWas))
    expect(new Set(actual.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test("appears in no other workspace's list", async () => {
    const other = await instance.workspace()
    const { body } = await instance.request('GET', `${path}?workspaceId=${other.id}`, { key: other.key })
    expect(body).toEqual({ departments: [], nextCursor: null })
  })
})
