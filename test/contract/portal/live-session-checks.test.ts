import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, anonymousActor } from '@reeve/core'
import type { Database, Queries } from '@reeve/db'
import { createHub } from '@reeve/live'
import { type Instance, openInstance } from '../../support/instance.ts'

const SESSIONS = 12
const STREAMS_PER_SESSION = 3
const CHECKS = 2

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** The database, and the ids in each of its reads that take a list of ids. */
function observeIds(database: Database) {
  const observed: string[][] = []
  const seen = Promise.withResolvers<void>()
  const all: Queries['all'] = (statement, params) => {
    const { ids } = params as { ids?: readonly string[] }
    if (ids) observed.push([...ids])
    if (observed.length === CHECKS) seen.resolve()
    return database.read.all(statement, params)
  }
  const read = Object.create(database.read, { all: { value: all } })
  const db: Database = Object.create(database, { read: { value: read } })
  return { db, observed, seen: seen.promise }
}

async function findSessionIds(accountId: string): Promise<string[]> {
  const sessions = await instance.storage.query<{ id: string; account_id: string }>(
    'select id, account_id from session',
  )
  return sessions.filter((session) => session.account_id === accountId).map(({ id }) => id)
}

test('one statement checks the sessions of all streams, each session once', async () => {
  const { id: workspaceId } = await instance.workspace()
  const accountId = await instance.account()
  for (let index = 0; index < SESSIONS; index++) await instance.session(accountId)
  const sessionIds = await findSessionIds(accountId)
  expect(sessionIds).toHaveLength(SESSIONS)
  const shutdown = new AbortController()
  const { db, observed, seen } = observeIds(instance.db)
  const hub = createHub(db, instance.ports, shutdown.signal)
  const actors: Actor[] = sessionIds.map((sessionId, index) => ({
    ...anonymousActor,
    ...{ kind: 'account', id: `${accountId} ${index % SESSIONS}`, workspaceId, sessionId },
  }))
  for (let index = 0; index < STREAMS_PER_SESSION; index++)
    for (const actor of actors) await hub.open(actor, null, shutdown.signal)
  expect(hub.countStreams()).toBe(SESSIONS * STREAMS_PER_SESSION)
  observed.length = 0
  await seen
  for (const ids of observed) expect(ids.toSorted()).toEqual(sessionIds.toSorted())
  expect(hub.countStreams()).toBe(SESSIONS * STREAMS_PER_SESSION)
  shutdown.abort()
})
