import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { readableWhileOff, switchableEndpoints } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { setEndpointControl } from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** Reads of the portal that contain nothing of what an endpoint is for. */
const UNRELATED = [
  'actors',
  'assignees',
  'api-keys',
  'appeals/appeal',
  'appeals/settings',
  'deleted-members',
  'endpoint-controls',
  'inbox/counts',
  'invitations',
  'live',
  'members',
  'members/keys',
  'members/players',
  'members/webhooks',
  'moderation/limits',
  'roles',
  'roles/holdings',
  'roles/keys',
  'roles/webhooks',
  'second-factor-policy',
  'usage',
  'usage.csv',
]

/** Required fields besides the workspace. */
const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  '/portal/api/case-work': { recordIds: '' },
  '/portal/api/inbox': { source: 'mentions' },
  '/portal/api/players': { q: 'b' },
  '/portal/api/reasons': { action: 'ban' },
  '/portal/api/search': { q: 'b' },
  '/portal/api/me': {},
}

for (const endpoint of switchableEndpoints) {
  test(`while ${endpoint} is off, everything that the portal lists as still readable is`, async () => {
    await setEndpointControl(instance, workspace.id, endpoint, 'off')
    for (const { path } of readableWhileOff[endpoint]) {
      const query = new URLSearchParams(
        path === '/portal/api/me' ? {} : { workspaceId: workspace.id, ...QUERIES[path] },
      )
      const response = await instance.request('GET', `${path}?${query}`, { session: workspace.ownerSession })
      const outcome = [path, response.body?.reason ?? 'accepted']
      expect(outcome).toEqual([path, 'accepted'])
    }
    await setEndpointControl(instance, workspace.id, endpoint, null)
  })
}

test('every read of a workspace in the portal is listed for an endpoint, or has nothing to do with one', () => {
  const listed = new Set(
    Object.values(readableWhileOff)
      .flat()
      .map(({ path }) => path.replace('/portal/api/', '')),
  )
  const reads = instance.app.routes
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/portal/api/'))
    .filter(({ hooks }) => {
      const { detail } = hooks as { detail?: Record<string, DocumentedRule> }
      return detail?.[RULE_EXTENSION]?.workspace === 'required'
    })
    .map(({ path }) => path.replace('/portal/api/', ''))
  expect(reads.length).toBeGreaterThan(20)
  expect(reads.filter((path) => !listed.has(path) && !UNRELATED.includes(path))).toEqual([])
})
