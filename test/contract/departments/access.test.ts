import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { stored } from '../../support/stored.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/departments'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** Makes a department. @returns its id */
async function department(name: string): Promise<string> {
  const answer = await instance.call('POST', path, {
    key: workspace.key,
    body: { workspaceId: workspace.id, name },
  })
  return answer.body.department.id
}

describe('who may not is told so, and nothing is changed', () => {
  test('reading the list needs departments.view', async () => {
    await department('Quiet')
    await replay(instance, {
      method: 'GET',
      path,
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'departments.view',
    })
  })

  test('reading one needs departments.view', async () => {
    await replay(instance, {
      method: 'GET',
      path,
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id, id: await department('Read') },
      permission: 'departments.view',
    })
  })

  test('creating needs departments.manage', async () => {
    await replay(instance, {
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
          await instance.call('PATCH', path, { key: workspace.key, body: { ...body, action: 'delete' } })
        }
        await replay(instance, {
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
    await replay(instance, {
      method: 'DELETE',
      path,
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id, id: await department('Short-lived') },
      permission: 'departments.manage',
    })
  })
})

describe("another workspace's department", () => {
  test('is not found, never forbidden, and answered exactly as one that never was', async () => {
    const other = await instance.workspace()
    const id = await department('Hidden')
    const neverWas = '0198c0de-dead-7000-8000-00000000dead'
    const before = await stored(instance)
    const answers = async (target: string) => {
      const query = `workspaceId=${other.id}&id=${target}`
      const calls = [
        instance.call('GET', `${path}?${query}`, { key: other.key }),
        instance.call('GET', `${path}?${query}&deleted=true`, { key: other.key }),
        instance.call('DELETE', `${path}?${query}`, { key: other.key }),
        ...['update', 'delete', 'restore'].flatMap((action) =>
          ['POST', 'PATCH'].map((method) =>
            instance.call(method, path, {
              key: other.key,
              body: { workspaceId: other.id, id: target, action, name: 'Mine' },
            }),
          ),
        ),
      ]
      return (await Promise.all(calls)).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    }
    const seen = await answers(id)
    expect(seen).toEqual(await answers(neverWas))
    expect(new Set(seen.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
    expect(await stored(instance)).toEqual(before)
  })

  test('is in no list but its own', async () => {
    const other = await instance.workspace()
    const { body } = await instance.call('GET', `${path}?workspaceId=${other.id}`, { key: other.key })
    expect(body).toEqual({ departments: [], nextCursor: null })
  })
})
