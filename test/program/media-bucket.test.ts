import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { dataUrl, pngOf } from '../support/images.ts'
import { PASSWORD } from '../support/instance.ts'
import { type ObjectStore, openObjectStore } from '../support/object-store.ts'
import { BINARY, type Running, reeve, serve } from '../support/program.ts'
import { INIT } from './commands.ts'

/** The longest that the program waits for a store, and a little more for a busy machine. */
const PATIENCE_MS = 15_000

let folder: TemporaryFolder
let store: ObjectStore
let running: Running
let made: { workspaceId: string; apiKey: string }

const options = () => ({ dataDir: folder.data, program: BINARY, env: store.env })

beforeAll(async () => {
  folder = temporaryFolder()
  store = openObjectStore()
  const { out } = await reeve([...INIT, '--json'], { ...options(), stdin: PASSWORD })
  made = JSON.parse(out)
  running = await serve(options())
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
    headers: { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workspaceId: made.workspaceId, ...body }),
  })
const event = (size: number) =>
  write('/api/events', {
    title: 'A',
    scheduledFor: '2030-01-01T00:00:00Z',
    imageDataUrl: dataUrl(pngOf(size)),
  })

/** What the doctor says of images. */
async function findings(env: Record<string, string>) {
  const { out } = await reeve(['doctor', '--json'], { ...options(), env })
  const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string; found: string }[] }
  return findings
    .filter(({ check }) => check === 'images')
    .map(({ verdict, found }) => `${verdict}: ${found}`)
}

test('the binary keeps an image in the bucket and serves it from there', async () => {
  const answer = await event(2000)
  expect(answer.status).toBe(200)
  const { event: saved } = (await answer.json()) as { event: { imageUrl: string } }
  expect([...store.objects.keys()]).toEqual([new URL(saved.imageUrl).pathname.replace('/', '')])
  const served = await fetch(saved.imageUrl)
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(await served.bytes()).toEqual(pngOf(2000))
})

test('while the store stands still, images wait for a bounded time, and bans for none', async () => {
  store.become('stalled')
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
  const answers = await images
  const took = performance.now() - since
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      503,
      'application/json;charset=utf-8',
    ])
    expect(await answer.json()).toMatchObject({ code: 'unavailable' })
  }
  expect(bans).toBeLessThan(took / 2)
  expect(took).toBeLessThan(PATIENCE_MS)
  store.become('well')
  expect((await event(2001)).status).toBe(200)
}, 60_000)

test('neither the log nor the doctor tells a secret, and the doctor tells how the bucket is', async () => {
  const { settings, env } = store
  const where = `The bucket ${settings.bucket} at ${settings.endpoint.origin}`
  expect(await findings(env)).toEqual([`ok: ${where} takes images and gives them out; it holds 2.`])
  store.become('failing')
  expect(await findings(env)).toEqual([`fault: ${where} cannot be used: PUT was answered 503 SlowDown.`])
  expect(await findings({})).toEqual(['fault: 2 images in a bucket cannot be shown: none is set.'])
  expect((await event(2002)).status).toBe(503)
  await running.logged((line) => JSON.stringify(line).includes('SlowDown'))
  const log = JSON.stringify(running.log)
  for (const secret of [settings.accessKeyId, settings.secretAccessKey, 'X-Amz'])
    expect(log).not.toContain(secret)
})
