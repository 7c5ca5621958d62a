import { expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { moveData } from '@reeve/db/move'
import { portalReadSteps, publicApiSteps } from '../support/api-requests.ts'
import { allowAppealFiles } from '../support/appeal-files.ts'
import { createTestStorage } from '../support/engine.ts'
import { type Instance, openInstance, type RequestOptions } from '../support/instance.ts'
import { type RequestSender, runRequestSequence } from '../support/request-sequence.ts'

interface ReadRequest {
  readonly path: string
  readonly credentials: RequestOptions
}

/** A move begins another epoch of changes, which test/feed follows. */
const CHANGES = /^\/api\/changes/
/** Responses that count the requests of this test itself. */
const COUNTS = /^\/portal\/api\/(usage|usage\.csv|overview)\?/

/** Sends every kind of request. @returns every read to compare */
async function runAllRequests(instance: Instance): Promise<ReadRequest[]> {
  const workspace = await instance.workspace('Night shift')
  const { id, key, ownerSession } = workspace
  await allowAppealFiles(instance, workspace)
  const role = await instance.role(id, permissions)
  const paths: string[] = []
  const send: RequestSender = ({ method, path, body, headers }) => {
    if (method === 'GET') paths.push(`/api${path}`)
    return instance.request(method, `/api${path}`, { key, headers, ...(body ? { body } : {}) })
  }
  await runRequestSequence(publicApiSteps, send, { workspace: id, role })
  const { text } = await instance.request('GET', `/api/events?workspaceId=${id}`, { key })
  const images = text.match(/\/media\/[0-9a-f]+\.png/g) ?? []
  expect(images).not.toEqual([])
  const portalPaths = portalReadSteps
    .map(({ path }) => path.replaceAll('{workspace}', id))
    .filter((path) => !COUNTS.test(path))
  return [
    ...[...new Set([...paths, ...images])]
      .filter((path) => !CHANGES.test(path))
      .map((path) => ({ path, credentials: { key } })),
    ...portalPaths.map((path) => ({ path, credentials: { session: ownerSession } })),
  ]
}

async function readResponses(readRequests: readonly ReadRequest[], instance: Instance): Promise<string[]> {
  const responses: string[] = []
  for (const { path, credentials } of readRequests) {
    const { status, text } = await instance.request('GET', path, credentials)
    responses.push(`${path}\n${status} ${text.replace(/"requestId":"[^"]*"/, '')}`)
  }
  return responses
}

for (const [from, to] of [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const) {
  test(`every response is byte for byte the same after a move from ${from} to ${to}`, async () => {
    const before = await openInstance({ engine: from })
    const readRequests = await runAllRequests(before)
    const responses = await readResponses(readRequests, before)
    before.endStreams()
    await before.flush()
    await before.db.close()
    const storage = await createTestStorage(to, 'template1')
    await moveData(before.storage, storage, before.clock.now, () => {})
    const after = await openInstance({ storage, clock: before.clock })
    expect(await readResponses(readRequests, after)).toEqual(responses)
    expect(responses.length).toBeGreaterThan(30)
    await after.close()
    await before.storage.remove()
  })
}
