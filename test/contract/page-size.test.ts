import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../support/instance.ts'
import { createWorkspaceRequests, type Workspace } from './workspaces/fixture.ts'

const MAX_PAGE_BYTES = 1024 * 1024
/** Room for the cursor and the name of the list. */
const ENVELOPE_BYTES = 200

/** Texts of 4 bytes a character. */
const long = (characters: number) => '😀'.repeat(characters)

let instance: Instance
let workspace: Workspace
let requests: ReturnType<typeof createWorkspaceRequests>

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createWorkspaceRequests(instance, workspace)
})
afterAll(() => instance.close())

interface Page {
  readonly bytes: number
  readonly rows: readonly Record<string, unknown>[]
}

/** Reads all pages of a list at the highest limit. */
async function readPages(
  path: string,
  listField: string,
  query: Record<string, string> = {},
): Promise<Page[]> {
  const pages: Page[] = []
  let cursor: string | null = null
  do {
    const search = new URLSearchParams({
      workspaceId: workspace.id,
      limit: '200',
      ...query,
      ...(cursor && { cursor }),
    })
    const { status, body, text } = await instance.request('GET', `${path}?${search}`, {
      session: workspace.ownerSession,
    })
    if (status !== 200) throw new Error(text)
    pages.push({ bytes: Buffer.byteLength(text), rows: body[listField] })
    cursor = body.nextCursor
  } while (cursor !== null)
  return pages
}

/** Expects that a list has several pages, each as large as possible, and every row once, in order. */
async function expectCutPages(pages: readonly Page[], column: string, values: readonly string[]) {
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.flatMap(({ rows }) => rows.map((row) => row[column]))).toEqual([...values])
  for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES + ENVELOPE_BYTES)
  const largestRow = Math.max(
    ...pages.flatMap(({ rows }) => rows.map((row) => Buffer.byteLength(JSON.stringify(row)))),
  )
  for (const { bytes } of pages.slice(0, -1))
    expect(bytes + largestRow).toBeGreaterThan(MAX_PAGE_BYTES - 160 * 1024)
}

const inserted = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('a page ends at 1 MiB, and the next one continues without a gap', () => {
  const RECORDS = 200
  const newestFirst = inserted(RECORDS).toReversed().map(String)

  beforeAll(async () => {
    const reason = long(1000)
    const actorUsername = long(100)
    await Promise.all(
      inserted(RECORDS).map(async (index) => {
        const { id } = await requests.moderate({ action: 'ban', userId: `${index}`, reason, actorUsername })
        await requests.moderate({
          action: 'edit',
          id,
          reason: `New ${reason.slice(8)}`,
          userUsername: long(100),
        })
      }),
    )
  }, 60_000)

  test('records, however they are listed', async () => {
    for (const [field, query] of [
      ['records', {}],
      ['history', { banHistory: 'true' }],
      ['bans', { banList: 'true' }],
      ['bans', { banList: 'true', userId: newestFirst.join() }],
      ['records', { severity: 'high', text: '😀😀' }],
    ] as const) {
      const pages = await readPages('/api/moderation', field, query)
      await expectCutPages(pages, 'caseNumber', newestFirst)
    }
  })

  test('a CSV file has every row', async () => {
    const { text } = await instance.request('GET', `/portal/api/moderation.csv?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    expect([...text.matchAll(/^(\d+),ban,/gm)].map(([, number]) => number)).toEqual(newestFirst)
  })

  test('the audit log', async () => {
    const pages = await readPages('/portal/api/audit', 'entries', { action: 'moderation.edit' })
    const sequences = pages.flatMap(({ rows }) => rows.map(({ sequence }) => String(sequence)))
    expect(new Set(sequences).size).toBe(RECORDS)
    await expectCutPages(
      pages,
      'sequence',
      sequences.toSorted((one, other) => Number(other) - Number(one)),
    )
  })

  test('players', async () => {
    const pages = await readPages('/portal/api/players', 'players', { q: '1' })
    const ids = newestFirst.filter((id) => id.startsWith('1')).toSorted()
    expect(pages.flatMap(({ rows }) => rows.map(({ userId }) => userId))).toEqual(ids)
  })
})

test('the earlier versions of a record, of which a few are a page', async () => {
  const { id } = await requests.moderate({ action: 'warn', userId: 'large', reason: 'x' })
  for (let index = 0; index < 8; index++)
    await requests.moderate({ action: 'comment', id, value: long(2000) })
  for (const index of inserted(24)) await requests.moderate({ action: 'edit', id, reason: `${index}` })
  const pages = await readPages('/api/moderation', 'versions', { id })
  expect(pages.flatMap(({ rows }) => rows.map(({ version }) => version))).toEqual(inserted(32).map(String))
  expect(pages.length).toBeGreaterThan(1)
  for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES + ENVELOPE_BYTES)
  const entries = await readPages('/portal/api/audit', 'entries', { targetId: id })
  expect(entries.flatMap(({ rows }) => rows)).toHaveLength(33)
  for (const { bytes } of entries) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES + ENVELOPE_BYTES)
})

test('events', async () => {
  const times = inserted(80).map((day) => new Date(Date.UTC(2030, 0, day)).toISOString())
  for (const scheduledFor of times)
    await requests.writeEvent({ title: 'x', scheduledFor, description: long(4000) })
  await expectCutPages(await readPages('/api/events', 'events'), 'scheduledFor', times)
})
