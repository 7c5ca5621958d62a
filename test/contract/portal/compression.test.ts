import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  for (let index = 0; index < 10; index++) {
    const body = { workspaceId: workspace.id, action: 'note', userId: String(index), reason: 'Seen at night' }
    await instance.request('POST', '/api/moderation', { session: workspace.ownerSession, body })
  }
})
afterAll(() => instance.close())

/** The response to a read as it is sent, with `accept-encoding: gzip` unless the headers say otherwise. */
const readRaw = (path: string, headers: Readonly<Record<string, string>>) =>
  instance.fetch(
    new Request(`${PUBLIC_URL}${path}`, { headers: { 'accept-encoding': 'gzip, br', ...headers } }),
  )
const asOwner = () => ({ cookie: `reeve_session=${workspace.ownerSession}`, 'sec-fetch-site': 'same-origin' })
const listPath = () => `/api/moderation?workspaceId=${workspace.id}`

describe('the response to a read', () => {
  test('of the portal is compressed if it is large, and has the same content', async () => {
    const plain = await readRaw(listPath(), { ...asOwner(), 'accept-encoding': 'identity' })
    const compressed = await readRaw(listPath(), asOwner())
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(compressed.headers.get('vary')).toContain('Accept-Encoding')
    const bytes = await compressed.bytes()
    const content = await plain.text()
    expect(bytes.length).toBeLessThan(content.length / 2)
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(content)
  })

  test('of an API key, a small one, and one that the client cannot read compressed are sent as they are', async () => {
    const responses = await Promise.all([
      readRaw(listPath(), { authorization: `Bearer ${workspace.key}` }),
      readRaw(`${listPath()}&userId=none`, asOwner()),
      readRaw(listPath(), { ...asOwner(), 'accept-encoding': 'gzip;q=0' }),
    ])
    for (const response of responses) {
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
      expect(await response.json()).toHaveProperty('records')
    }
  })
})

test('the response to a write, which can contain a secret, is never compressed', async () => {
  const response = await instance.fetch(
    new Request(`${PUBLIC_URL}/portal/api/api-keys`, {
      method: 'POST',
      headers: { ...asOwner(), 'accept-encoding': 'gzip', 'content-type': 'application/json' },
      body: JSON.stringify({
        workspaceId: workspace.id,
        name: 'x'.repeat(90),
        permissions:
          'moderation.view,moderation.note,moderation.warn,moderation.ban,moderation.mute,events.view',
        allowedAddresses: Array.from({ length: 40 }, (_, index) => `203.0.113.${index}`).join('\n'),
      }),
    }),
  )
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
  const content = await response.text()
  expect(content.length).toBeGreaterThan(1000)
  expect(JSON.parse(content)).toHaveProperty('secret')
})
