import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { type BucketClient, type BucketSettings, createBucketClient } from '@reeve/api/s3/client'
import { downloadObject } from '@reeve/api/s3/download'
import { listObjects, listUnfinishedUploads } from '@reeve/api/s3/objects'
import { uploadObject } from '@reeve/api/s3/upload'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'

const MIB = 2 ** 20
const PART = 5 * MIB
const NAME = 'reeve-3f9a2c-20261121T030000000Z.db.enc'
/** The timeout of requests in these tests, in milliseconds, which only one that stalls reaches. */
const TIMEOUT_MS = 5000

// A test runs several commands or retries.
setDefaultTimeout(60_000)

let store: ObjectStore
let proxy: CuttingProxy
let client: BucketClient
beforeEach(async () => {
  store = startObjectStore()
  proxy = await startCuttingProxy(store.settings.endpoint)
  client = open({ endpoint: proxy.url })
})
afterEach(async () => {
  await store.close()
  await proxy.close()
})

const open = (changes: Partial<BucketSettings> = {}) =>
  createBucketClient({ ...store.settings, ...changes }, TIMEOUT_MS)

async function* toParts(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PART) yield content.subarray(at, at + PART)
}
const upload = (content: Uint8Array, to = client) =>
  uploadObject({ client: to, name: NAME, partTimeoutMs: TIMEOUT_MS }, toParts(content))
const download = async () => Buffer.concat(await Array.fromAsync(downloadObject(client, NAME, TIMEOUT_MS)))
const stored = async () => Buffer.from((await store.objects.get(`media/${NAME}`)?.bytes()) ?? [])

const isPart = (request: Request, url: URL) => request.method === 'PUT' && url.searchParams.has('partNumber')
const isCompletion = (request: Request, url: URL) =>
  request.method === 'POST' && url.searchParams.has('uploadId')

describe('an upload in parts', () => {
  const content = randomBytes(4 * PART + 12_345)

  test('arrives complete, also when requests fail, stall, and are cut in the middle', async () => {
    store.addFault({ matches: isPart, behavior: 'failing', times: 2 })
    store.addFault({ matches: isPart, behavior: 'stalled', times: 1 })
    store.addFault({ matches: isCompletion, behavior: 'failing', times: 1 })
    proxy.cutNext('sent', 3 * MIB)
    expect(await upload(content)).toBe(content.length)
    expect(proxy.remainingCuts()).toBe(0)
    expect((await stored()).equals(content)).toBe(true)
    expect(store.unfinished()).toEqual([])
  }, 60_000)

  test('leaves nothing in the bucket if the store keeps failing or its source fails', async () => {
    const endFault = store.addFault({ matches: isPart, behavior: 'failing', times: 100 })
    await expect(upload(content)).rejects.toThrow('PUT returned status 503 SlowDown')
    expect([store.objects.size, store.unfinished()]).toEqual([0, []])
    endFault()
    const failing = async function* () {
      yield content.subarray(0, PART)
      throw new Error('the source failed')
    }
    await expect(uploadObject({ client: open(), name: NAME }, failing())).rejects.toThrow('the source failed')
    expect([store.objects.size, store.unfinished()]).toEqual([0, []])
  }, 60_000)

  test('is not repeated where repeating cannot help', async () => {
    await expect(upload(content, open({ secretAccessKey: 'another' }))).rejects.toThrow(
      'POST returned status 403 SignatureDoesNotMatch',
    )
    await expect(upload(content, open({ bucket: 'another' }))).rejects.toThrow('status 404 NoSuchBucket')
    expect(store.requests).toHaveLength(2)
  })

  test('whose last response was lost counts as completed', async () => {
    let completions = 0
    store.addFault({
      matches: (request, url) => {
        // The store carries out the first request, but its response does not arrive.
        if (isCompletion(request, url) && ++completions === 1) proxy.cutNext('received', 0)
        return false
      },
      behavior: 'failing',
      times: 1,
    })
    expect(await upload(content)).toBe(content.length)
    expect(completions).toBe(2)
    expect(proxy.remainingCuts()).toBe(0)
    expect((await stored()).equals(content)).toBe(true)
  }, 60_000)
})

describe('a download', () => {
  const content = randomBytes(44 * MIB + 77)
  beforeEach(() => {
    store.objects.set(`media/${NAME}`, new Blob([content]))
  })
  const isObject = (request: Request, url: URL) => request.method === 'GET' && url.pathname.endsWith(NAME)

  test('is complete and in order, also when requests fail, stall, and are cut in the middle', async () => {
    store.addFault({ matches: isObject, behavior: 'failing', times: 2 })
    store.addFault({ matches: isObject, behavior: 'truncated', times: 1 })
    proxy.cutNext('received', 2 * MIB)
    expect((await download()).equals(content)).toBe(true)
    expect(proxy.remainingCuts()).toBe(0)
  }, 60_000)

  test('fails if the object is replaced meanwhile, instead of mixing both', async () => {
    const chunks = downloadObject(client, NAME, TIMEOUT_MS)
    await chunks.next()
    store.objects.set(`media/${NAME}`, new Blob([content, 'longer']))
    await expect(Array.fromAsync(chunks)).rejects.toThrow('GET returned status 412')
  })

  test('of an object that does not exist fails without another attempt', async () => {
    store.objects.clear()
    await expect(download()).rejects.toThrow('GET returned status 404 NoSuchKey')
    expect(store.requests).toHaveLength(1)
  })
})

describe('a list', () => {
  test('contains the objects of all pages, without the prefix of the settings', async () => {
    for (let index = 0; index < 8; index++)
      store.objects.set(`media/reeve-${index}`, new Blob(['x'.repeat(index)]))
    store.objects.set('media/other', new Blob(['x']))
    store.objects.set('reeve-outside', new Blob(['x']))
    expect(await listObjects(client, 'reeve-')).toEqual(
      Array.from({ length: 8 }, (_, index) => ({ name: `reeve-${index}`, bytes: index })),
    )
    expect(await listUnfinishedUploads(client, 'reeve-')).toEqual([])
  })
})
