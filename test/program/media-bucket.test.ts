import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parse } from 'node:path'
import { createPng, dataUrl } from '../support/images.ts'
import { PASSWORD } from '../support/instance.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { BINARY, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

/** The timeout of store requests, with a margin for a busy machine. */
const PATIENCE_MS = 15_000

let folder: TemporaryFolder
let store: ObjectStore
let running: RunningServer
let initResult: { workspaceId: string; apiKey: string }

const options = () => ({ dataDir: folder.data, program: BINARY, env: store.env })

beforeAll(async () => {
  folder = temporaryFolder()
  store = startObjectStore()
  const { out } = await runReeve([...INIT_ARGS, '--json'], { ...options(), stdin: PASSWORD })
  initResult = JSON.parse(out)
  running = await startServer(options())
})
afterAll(async () => {
  const exitCode = await running.stop()
  await store.close()
  folder.remove()
  expect(exitCode).toBe(0)
})

const write = (path: string, body: object) =>
  fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${initResult.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workspaceId: initResult.workspaceId, ...body }),
  })
const event = (size: number) =>
  write('/api/events', {
    title: 'A',
    scheduledFor: '2030-01-01T00:00:00Z',
    published: 'true',
    imageDataUrl: dataUrl(createPng(size)),
  })

/** The doctor's findings on images. */
async function findings(env: Record<string, string>, name = 'images') {
  const { out } = await runReeve(['doctor', '--json'], { ...options(), env })
  const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string; found: string }[] }
  return findings.filter(({ check }) => check === name).map(({ verdict, found }) => `${verdict}: ${found}`)
}

test('the binary stores an image in the bucket and serves it from there', async () => {
  const response = await event(2000)
  expect(response.status).toBe(200)
  const { event: savedEvent } = (await response.json()) as { event: { imageUrl: string } }
  expect([...store.objects.keys()]).toEqual([new URL(savedEvent.imageUrl).pathname.replace('/', '')])
  const served = await fetch(savedEvent.imageUrl)
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect<Uint8Array>(await served.bytes()).toEqual(createPng(2000))
})

test('while the store does not respond, image requests time out and bans are not delayed', async () => {
  store.setBehavior('stalled')
  const since = performance.now()
  const [object = ''] = store.objects.keys()
  const images = Promise.all([event(2001), fetch(`${running.url}/${object}`)])
  const statuses: number[] = []
  for (const userId of ['1', '2', '3']) {
    const ban = { action: 'ban', userId, reason: 'Exploiting' }
    statuses.push((await write('/api/moderation', ban)).status)
    statuses.push((await fetch(`${running.url}/readyz`)).status)
  }
  const bans = performance.now() - since
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200])
  const responses = await images
  const elapsed = performance.now() - since
  for (const response of responses) {
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'application/json;charset=utf-8',
    ])
    expect(await response.json()).toMatchObject({ code: 'unavailable' })
  }
  expect(bans).toBeLessThan(elapsed / 2)
  expect(elapsed).toBeLessThan(PATIENCE_MS)
  store.setBehavior('ok')
  expect((await event(2001)).status).toBe(200)
}, 60_000)

test('the doctor reports the state of the bucket, and neither it nor the log contains a secret', async () => {
  const { settings, env } = store
  const where = `The bucket ${settings.bucket} at ${settings.endpoint.origin}`
  expect(await findings(env)).toEqual([`ok: ${where} can be read and written; it contains 2 images.`])
  store.setBehavior('failing')
  expect(await findings(env)).toEqual([`fault: ${where} cannot be used: PUT returned status 503 SlowDown.`])
  expect(await findings({})).toEqual([
    'fault: 2 images in a bucket cannot be shown: no bucket is configured.',
  ])
  expect((await event(2002)).status).toBe(503)
  await running.waitForLog((line) => JSON.stringify(line).includes('SlowDown'))
  const log = JSON.stringify(running.log)
  for (const secret of [settings.accessKeyId, settings.secretAccessKey, 'X-Amz'])
    expect(log).not.toContain(secret)
})

test('the doctor names images in the bucket that were replaced or deleted, and only those', async () => {
  const { env, objects } = store
  store.setBehavior('ok')
  expect(await findings(env, 'hashes')).toEqual([
    'ok: 0 images of the database and 2 images of the bucket match their hashes.',
  ])
  const [replaced = '', deleted = ''] = objects.keys()
  const [original, other] = [objects.get(replaced), objects.get(deleted)]
  if (!original || !other) throw new Error('there are fewer than two images')
  objects.set(replaced, other)
  objects.delete(deleted)
  const [finding = ''] = await findings(env, 'hashes')
  objects.set(replaced, original)
  objects.set(deleted, other)
  expect(finding).toStartWith('fault: 2 images of 2 compared: ')
  expect(finding).toContain(`image ${parse(replaced).name} in the bucket: the content of object`)
  expect(finding).toContain(`image ${parse(deleted).name} in the bucket: GET returned status 404`)
})
