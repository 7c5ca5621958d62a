import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { type Instance, openInstance, PUBLIC_URL } from '../support/instance.ts'

const KIB = 1024

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

async function post(path: string, body: Uint8Array, headers: Record<string, string> = {}) {
  const response = await instance.fetch(
    new Request(`${PUBLIC_URL}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${workspace.key}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        ...headers,
      },
      body: body as Uint8Array<ArrayBuffer>,
    }),
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const compress = (fields: object) => gzipSync(JSON.stringify({ workspaceId: workspace.id, ...fields }))

describe('a body compressed with gzip', () => {
  test('is read as the body that it contains, on every route, also without a length', async () => {
    const ban = compress({ action: 'ban', userId: '261', reason: 'Exploiting' })
    const { status, body } = await post('/api/moderation', ban)
    expect([status, body.record.reason]).toEqual([200, 'Exploiting'])
    const checked = await post('/api/moderation/check', compress({ userIds: '261' }), {
      'content-encoding': 'GZIP',
    })
    expect(checked.body.bans).toHaveLength(1)
    const streamed = await instance.fetch(
      new Request(`${PUBLIC_URL}/api/moderation/check`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${workspace.key}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: new Blob([compress({ userIds: '261' }) as Uint8Array<ArrayBuffer>]).stream(),
      }),
    )
    expect(((await streamed.json()) as { bans: object[] }).bans).toHaveLength(1)
    const event = compress({ title: 'Opening', scheduledFor: '2031-03-01T18:00:00Z' })
    expect((await post('/api/events', event)).status).toBe(200)
  })

  test('has the same idempotency as the body that it contains', async () => {
    const fields = { action: 'note', userId: '5', reason: 'Once' }
    const headers = { 'idempotency-key': 'once' }
    const first = await post('/api/moderation', compress(fields), headers)
    const again = await instance.request('POST', '/api/moderation', {
      key: workspace.key,
      headers,
      body: { workspaceId: workspace.id, ...fields },
    })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  test('is too large by what it contains, and is not decompressed beyond the limit', async () => {
    const padded = (kib: number) => compress({ reason: 'x'.repeat(kib * KIB) })
    expect((await post('/api/moderation', padded(60))).body.code).toBe('invalid_request')
    const rejected = await post('/api/moderation', padded(65))
    expect([rejected.status, rejected.body.code]).toEqual([413, 'payload_too_large'])
    expect(rejected.body.error).toContain('limit of 65536 bytes')
    const bomb = gzipSync(new Uint8Array(40 * KIB * KIB))
    expect(bomb.length).toBeLessThan(64 * KIB)
    const before = process.memoryUsage.rss()
    for (let attempt = 0; attempt < 20; attempt++)
      expect((await post('/api/moderation', bomb)).status).toBe(413)
    expect(process.memoryUsage.rss() - before).toBeLessThan(40 * KIB * KIB)
    expect((await post('/api/events', padded(100))).body.code).toBe('invalid_request')
    const unauthorized = await post('/api/events', padded(100), { authorization: 'Bearer junk' })
    expect([unauthorized.status, unauthorized.body.reason]).toEqual([401, 'invalid_key'])
  })

  test('that is not gzip is rejected, and so is every other encoding', async () => {
    for (const body of [new TextEncoder().encode('{}'), compress({ userIds: '1' }).subarray(0, 20)]) {
      const { status, body: error } = await post('/api/moderation/check', body)
      expect([status, error.code, error.error]).toEqual([
        400,
        'invalid_json',
        'The request body is not valid gzip.',
      ])
    }
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
      const rejected = await post('/api/moderation/check', compress({ userIds: '1' }), {
        'content-encoding': encoding,
      })
      expect([rejected.status, rejected.body.code]).toEqual([415, 'unsupported_media_type'])
      expect(rejected.body.error).toContain('Content-Encoding: gzip')
      expect(rejected.headers.get('accept-encoding')).toBe('gzip')
    }
  })
})
