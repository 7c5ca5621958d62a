import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createLeanData } from './lean-data.ts'
import { FIRST_PLAYER, type SeededData, seed } from './seed.ts'
import { moveSeedToPostgres } from './seed-server.ts'
import { type BenchServer, startBaseline, startReeve } from './servers.ts'

/** The short form of `bun run bench`: it measures nothing, but shows that both sides do the same work. */

const SIZE = { workspaces: 2, records: 20, eventsEach: 3 }
const TIMEOUT_MS = 60_000

const folder = temporaryFolder()
let seeded: SeededData
let workspaceId: string
let key: string

beforeAll(async () => {
  seeded = await seed(join(folder.path, 'reeve'), SIZE, () => {})
  const [caller = ''] = readFileSync(seeded.callers, 'utf8').split('\n')
  ;[workspaceId = '', key = ''] = caller.split(' ')
}, TIMEOUT_MS)

afterAll(() => folder.remove())

type Reply = Readonly<Record<string, unknown>>

async function request({ url }: BenchServer, path: string, body?: object): Promise<Reply> {
  const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.status, text.slice(0, 500)).toBe(200)
  return JSON.parse(text)
}

const players = [FIRST_PLAYER, FIRST_PLAYER + 1].join()

/** What is read from Reeve and from the baseline alike, with the number of rows by list. */
const reads = [
  {
    work: 'ban check of one player',
    reeve: () => `/api/moderation?banList=true&workspaceId=${workspaceId}&userId=${FIRST_PLAYER}`,
    baseline: () => `/one?banList=true&workspaceId=${workspaceId}&userId=${FIRST_PLAYER}`,
    rows: { bans: 1 },
  },
  {
    work: 'ban check of several players',
    reeve: () => `/api/moderation?banList=true&workspaceId=${workspaceId}&userId=${players}`,
    baseline: () => `/many?banList=true&workspaceId=${workspaceId}&userId=${players}`,
    rows: { bans: 2 },
  },
  {
    work: 'next events',
    reeve: () => `/api/events?limit=20&workspaceId=${workspaceId}&from=${Date.now()}`,
    baseline: () => `/events?limit=20&workspaceId=${workspaceId}`,
    rows: { events: SIZE.eventsEach },
  },
  {
    work: 'check of all players of a server',
    reeve: () => '/api/moderation/check',
    baseline: () => '/check',
    body: () => ({ workspaceId, userIds: players }),
    rows: { bans: 2, mutes: 0 },
  },
] as const

async function compareServers(data: SeededData): Promise<void> {
  const reeve = await startReeve(data.settings)
  const baseline = await startBaseline(data.baselineLocation)
  try {
    for (const read of reads) {
      const body = 'body' in read ? read.body() : undefined
      const [ours, bare] = [
        await request(reeve, read.reeve(), body),
        await request(baseline, read.baseline(), body),
      ]
      for (const [list, count] of Object.entries(read.rows)) {
        expect(ours[list], read.work).toHaveLength(count)
        expect(bare[list], read.work).toEqual(ours[list])
      }
    }
    const writes = data.baselineLocation.startsWith('postgres') ? ['/write'] : ['/write', '/write-together']
    for (const path of writes) {
      const reply = await request(baseline, `${path}?workspaceId=${workspaceId}&userId=7`)
      expect(reply).toEqual({ record: { id: expect.any(String) } })
    }
  } finally {
    await baseline.stop()
    await reeve.stop()
  }
}

describe('the baseline of the benchmark does the work of Reeve on the same data', () => {
  test('on SQLite', () => compareServers(seeded), TIMEOUT_MS)

  test(
    'with a lean insert',
    async () => {
      const baseline = await startBaseline(createLeanData(seeded))
      try {
        const reply = await request(baseline, `/lean?workspaceId=${workspaceId}&userId=7`)
        expect(reply).toEqual({ record: { id: expect.any(String) } })
      } finally {
        await baseline.stop()
      }
    },
    TIMEOUT_MS,
  )

  test(
    'on PostgreSQL',
    async () => {
      const { postgresData } = await moveSeedToPostgres(seeded, () => {})
      await compareServers(postgresData)
    },
    TIMEOUT_MS,
  )
})
