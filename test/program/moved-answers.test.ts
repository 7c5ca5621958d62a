import { expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { moveData } from '@reeve/db'
import { newPlace } from '../support/engine.ts'
import { type CallOptions, type Instance, openInstance } from '../support/instance.ts'
import { portalReadings, wholeInterface } from '../support/steps.ts'
import { type Walker, walk } from '../support/walk.ts'

interface Reading {
  readonly path: string
  readonly as: CallOptions
}

/** What tells of the very calls that ask for it. */
const COUNTS = /^\/portal\/api\/(usage|usage\.csv|overview)\?/

/** Walks the whole interface. @returns everything that was read on the way, and what else there is to read */
async function lived(instance: Instance): Promise<Reading[]> {
  const { id, key, ownerSession } = await instance.workspace('Night shift')
  const role = await instance.role(id, permissions)
  const paths: string[] = []
  const walker: Walker = ({ method, path, body, headers }) => {
    if (method === 'GET') paths.push(`/api${path}`)
    return instance.call(method, `/api${path}`, { key, headers, ...(body ? { body } : {}) })
  }
  await walk(wholeInterface, walker, { workspace: id, role })
  const { text } = await instance.call('GET', `/api/events?workspaceId=${id}`, { key })
  const images = text.match(/\/media\/[0-9a-f]+\.png/g) ?? []
  expect(images).not.toEqual([])
  const lists = portalReadings
    .map(({ path }) => path.replaceAll('{workspace}', id))
    .filter((path) => !COUNTS.test(path))
  return [
    ...[...new Set([...paths, ...images])].map((path) => ({ path, as: { key } })),
    ...lists.map((path) => ({ path, as: { session: ownerSession } })),
  ]
}

async function answersTo(readings: readonly Reading[], instance: Instance): Promise<string[]> {
  const answers: string[] = []
  for (const { path, as } of readings) {
    const { status, text } = await instance.call('GET', path, as)
    answers.push(`${path}\n${status} ${text.replace(/"requestId":"[^"]*"/, '')}`)
  }
  return answers
}

for (const [from, to] of [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const) {
  test(`whoever calls notices nothing of a move from ${from} to ${to}: every answer is the same to the byte`, async () => {
    const before = await openInstance({ engine: from })
    const readings = await lived(before)
    const answers = await answersTo(readings, before)
    before.endStreams()
    await before.flush()
    await before.db.close()
    const place = await newPlace(to, 'template1')
    await moveData(before.place, place, before.clock.now, () => {})
    const after = await openInstance({ place, clock: before.clock })
    expect(await answersTo(readings, after)).toEqual(answers)
    expect(answers.length).toBeGreaterThan(30)
    await after.close()
    await before.place.remove()
  })
}
