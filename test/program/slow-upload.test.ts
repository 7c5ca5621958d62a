import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MAX_EVIDENCE_FILE_BYTES } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import { EVIDENCE_PATH } from '../support/evidence-upload.ts'
import { formatRequest, openConnection } from '../support/raw-connection.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** The connection of a moderator at home. */
const BYTES_PER_SECOND = 2_000_000
const INTERVAL_MS = 50
const LINE = '[21:04:11] player 261 said something that nobody should have to read\n'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() => server.close())

/** Sends bytes at a pace. @param onSecond called for every second's share once it is sent */
const sendPaced = (write: (bytes: Uint8Array) => void, bytes: Uint8Array, onSecond: () => void) =>
  new Promise<void>((resolve) => {
    const startedAt = performance.now()
    let [sent, seconds] = [0, 0]
    // The pace is what the test is about, so it has a timer.
    const timer = setInterval(() => {
      const due = Math.min(bytes.length, ((performance.now() - startedAt) / 1000) * BYTES_PER_SECOND)
      write(bytes.subarray(sent, due))
      sent = Math.floor(due)
      for (; sent >= (seconds + 1) * BYTES_PER_SECOND; seconds += 1) onSecond()
      if (sent < bytes.length) return
      clearInterval(timer)
      resolve()
    }, INTERVAL_MS)
  })

test('the largest evidence file arrives over a connection of 2 MB/s, and ban checks are answered meanwhile', async () => {
  const { session, workspaceId } = await server.setUp()
  const moderate = async (body: object) =>
    (await server.requestOk('POST', '/api/moderation', { session, body: { workspaceId, ...body } })).body
      .record
  const { id } = await moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
  const bytes = Buffer.from(LINE.repeat(Math.ceil(MAX_EVIDENCE_FILE_BYTES / LINE.length))).subarray(
    0,
    MAX_EVIDENCE_FILE_BYTES,
  )
  const query = new URLSearchParams({ workspaceId, id, name: 'server.log' })
  const connection = await openConnection(server.origin)
  connection.write(
    formatRequest('POST', `${EVIDENCE_PATH}?${query}`, {
      headers: {
        host: new URL(server.origin).host,
        cookie: `reeve_session=${session}`,
        'sec-fetch-site': 'same-origin',
        'content-length': String(bytes.length),
      },
    }),
  )
  const startedAt = performance.now()
  const checks: Promise<number>[] = []
  await sendPaced(connection.write, bytes.subarray(0, -1), () => {
    const path = `/api/moderation?workspaceId=${workspaceId}&banList=true&userId=261`
    checks.push(server.requestOk('GET', path, { session }).then(({ body }) => body.bans.length))
  })
  expect(checks.length).toBeGreaterThan(10)
  // The upload ends only once all of them are answered.
  expect(new Set(await Promise.all(checks))).toEqual(new Set([1]))
  connection.write(bytes.subarray(-1))
  const response = await connection.waitFor(/\r\n\r\n.*\}/s)
  expect((performance.now() - startedAt) / 1000).toBeGreaterThan(12)
  expect(response).toStartWith('HTTP/1.1 200')
  connection.close()

  const sha256 = sha256Hex(bytes)
  const { body } = await server.requestOk('GET', `/api/moderation?workspaceId=${workspaceId}&id=${id}`, {
    session,
  })
  expect(body.record.evidenceFiles).toMatchObject([
    { name: 'server.log', size: String(bytes.length), type: 'text/plain', sha256 },
  ])
  const [{ id: fileId }] = body.record.evidenceFiles
  const stored = await fetch(
    `${server.origin}${EVIDENCE_PATH}?${new URLSearchParams({ workspaceId, fileId })}`,
    { headers: { cookie: `reeve_session=${session}`, 'sec-fetch-site': 'same-origin' } },
  )
  expect(sha256Hex(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256)
}, 120_000)
