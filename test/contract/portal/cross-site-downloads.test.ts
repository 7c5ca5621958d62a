import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let archiveId: string
let operator: string

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  operator = await instance.session(await instance.account(undefined, true))
  const archived = await instance.request('POST', '/api/workspaces', {
    key: workspace.key,
    body: { id: workspace.id, archive: 'true' },
  })
  const { body } = await instance.request('GET', `/api/workspaces?id=${workspace.id}&archives=true`, {
    key: workspace.key,
  })
  expect(archived.status).toBe(200)
  archiveId = body.archives[0].id
  const restored = { id: workspace.id, archive: 'false' }
  await instance.request('POST', '/api/workspaces', { key: workspace.key, body: restored })
  const download = { workspaceId: workspace.id, id: archiveId }
  await instance.request('POST', '/portal/api/archive/download', {
    session: workspace.ownerSession,
    body: download,
  })
})
afterAll(() => instance.close())

/** Downloads, exports, and the stream whose opening can end another one. */
const listPaths = () => [
  ...['moderation.csv', 'audit.csv', 'usage.csv', 'live'].map(
    (name) => `/portal/api/${name}?workspaceId=${workspace.id}`,
  ),
  `/portal/api/archive?workspaceId=${workspace.id}&id=${archiveId}`,
  '/admin/api/audit.csv',
]

/** Sends a GET of the browser of the owner, or of an operator, without reading the body. */
async function open(path: string, headers: Record<string, string>) {
  const session = path.startsWith('/admin/') ? operator : workspace.ownerSession
  const end = new AbortController()
  const response = await instance.fetch(
    new Request(`http://localhost:3000${path}`, {
      headers: { cookie: `reeve_session=${session}`, ...headers },
      signal: end.signal,
    }),
  )
  end.abort()
  return response
}

const countDownloads = async () =>
  (
    await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&action=archives.download`, {
      session: workspace.ownerSession,
    })
  ).body.entries.length

test('a link on another site starts no download and no export, and leaves nothing in the audit log', async () => {
  const before = await countDownloads()
  for (const path of listPaths()) {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://other.example' },
    ]) {
      const response = await open(path, headers)
      expect([path, response.status, (await response.json()).reason]).toEqual([
        path,
        403,
        'cross_site_request',
      ])
    }
  }
  expect(await countDownloads()).toBe(before)
})

test('the portal, an address that somebody enters, and a browser without the header can', async () => {
  for (const path of listPaths()) {
    // Browsers send it only to https and to localhost.
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])
      expect([path, (await open(path, headers as Record<string, string>)).status]).toEqual([path, 200])
  }
  expect(await countDownloads()).toBeGreaterThan(0)
})

/** The routes that send a file or a stream to a browser with these headers. */
async function listFileRoutes(requestHeaders: Record<string, string>): Promise<string[]> {
  const sent = new Set<string>()
  for (const { method, path, hooks } of instance.app.routes) {
    const rule = (hooks as { detail?: Record<string, unknown> }).detail?.[RULE_EXTENSION] as DocumentedRule
    if (method !== 'GET' || !['session', 'operator'].includes(rule.caller)) continue
    for (const query of [`workspaceId=${workspace.id}`, `workspaceId=${workspace.id}&id=${archiveId}`, '']) {
      const { headers } = await open(`${path}?${query}`, requestHeaders)
      const isJson = headers.get('content-type')?.startsWith('application/json')
      if (!isJson || headers.has('content-disposition')) sent.add(path)
    }
  }
  return [...sent]
}

test('no route sends a file or a stream to a cross-site request that it sends to the portal', async () => {
  const sent = await listFileRoutes({ 'sec-fetch-site': 'same-origin' })
  expect(sent).toEqual(expect.arrayContaining(listPaths().map((path) => path.replace(/\?.*/, ''))))
  expect(await listFileRoutes({ 'sec-fetch-site': 'cross-site' })).toEqual([])
})
