import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createCsvResponse } from '@reeve/http'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { advanceAuditSequence } from '../../support/workspace-states.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const readCsv = ({ id, ownerSession }: Workspace, name: string, query: Record<string, string> = {}) =>
  instance.request('GET', `/portal/api/${name}.csv?${new URLSearchParams({ workspaceId: id, ...query })}`, {
    session: ownerSession,
  })

/** Parses a file as defined by RFC 4180, into one object per line. */
function parseCsv(text: string): Record<string, string>[] {
  const lines: string[][] = [[]]
  for (const [, quoted, unquoted = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted === undefined ? unquoted : quoted.replaceAll('""', '"'))
    if (end === '\r\n') lines.push([])
  }
  const [header = [], ...rows] = lines.slice(0, -1)
  for (const row of rows) expect(row).toHaveLength(header.length)
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

const day = () => new Date(instance.ports.now()).toISOString().slice(0, 10)

describe('a CSV file', () => {
  test('is UTF-8 with a byte order mark, has the date in its name, and is always downloaded', async () => {
    const workspace = await instance.workspace()
    const request = new Request(`${PUBLIC_URL}/portal/api/usage.csv?workspaceId=${workspace.id}`, {
      headers: { cookie: `reeve_session=${workspace.ownerSession}` },
    })
    const response = await instance.fetch(request)
    expect([...(await response.bytes()).slice(0, 6)]).toEqual([0xef, 0xbb, 0xbf, ...Buffer.from('day')])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="usage-${day()}.csv"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  test('contains every text unchanged: commas, quotes, line breaks, and any script', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    const reason = 'He said "no", twice,\nand ünïcødé 🌙'
    await moderate({ action: 'warn', userId: '1', userUsername: 'a,b', reason, evidence: 'one\ntwo' })
    const { text } = await readCsv(workspace, 'moderation')
    expect(text).toContain('\r\n')
    expect(parseCsv(text)[0]).toMatchObject({
      caseNumber: '1',
      action: 'warn',
      userUsername: 'a,b',
      reason,
      evidenceCount: '2',
      commentCount: '0',
      expiresAt: '',
    })
  })

  test('has no cell that a spreadsheet would treat as a formula', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    const ascii = ['=cmd|calc', '+1+1', '-2+3', '@SUM(A1)', '=HYPERLINK("http://x","y")']
    const formulas = [...ascii, '＝1+1', '＋1+1', '－2+3', '＠SUM(A1)']
    for (const reason of formulas)
      await moderate({ action: 'note', userId: '1', userUsername: reason, reason })
    const rows = parseCsv((await readCsv(workspace, 'moderation')).text).toReversed()
    expect(rows.map(({ reason }) => reason)).toEqual(formulas.map((formula) => `'${formula}`))
    for (const row of rows) {
      for (const value of Object.values(row)) expect(value).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    }
  })

  test('escapes a leading tab or line break too, but no special character later in a cell', async () => {
    const lines = [['\tx', '\rx', '\nx', 'a=b', 'a＝b', '', "'x"]]
    const response = await createCsvResponse({
      name: 'file',
      createdAt: 0,
      header: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
      readPage: async () => ({ lines, nextCursor: null }),
    })
    expect(await response.text()).toBe('a,b,c,d,e,f,g\r\n\'\tx,"\'\rx","\'\nx",a=b,a＝b,,\'x\r\n')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="file-1970-01-01.csv"')
  })

  test('is read page by page as the client consumes it, never ahead', async () => {
    const requestedCursors: (string | undefined)[] = []
    const response = await createCsvResponse({
      name: 'file',
      createdAt: 0,
      header: ['n'],
      async readPage(cursor) {
        requestedCursors.push(cursor)
        const n = Number(cursor ?? 0)
        // Every third page is empty, as pages of a search may be.
        return { lines: n % 3 === 1 ? [] : [[String(n)]], nextCursor: n === 6 ? null : String(n + 1) }
      },
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const readChunk = async () =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode((await reader.read()).value)
    /** Gives a reader that reads ahead the time to do so. */
    const nextTick = async () => {
      for (let tick = 0; tick < 10; tick++) await new Promise((resolve) => setImmediate(resolve))
    }
    await nextTick()
    expect(requestedCursors).toEqual([undefined])
    expect(await readChunk()).toBe('\u{feff}n\r\n0\r\n')
    await nextTick()
    expect(requestedCursors).toEqual([undefined])
    expect(await readChunk()).toBe('2\r\n')
    expect(requestedCursors).toEqual([undefined, '1', '2'])
    let buffer = ''
    for (let next = await reader.read(); !next.done; next = await reader.read())
      buffer += new TextDecoder().decode(next.value)
    expect(buffer).toBe('3\r\n5\r\n6\r\n')
  })

  test('fails with an error if a page cannot be read, so a partial file never looks complete', async () => {
    const response = await createCsvResponse({
      name: 'file',
      createdAt: 0,
      header: ['n'],
      async readPage(cursor) {
        if (cursor) throw new Error('the disk is gone')
        return { lines: [['1']], nextCursor: 'next' }
      },
    })
    await expect(response.text()).rejects.toThrow('the disk is gone')
  })
})

describe('exported records', () => {
  const cases = async (workspace: Workspace, query: Record<string, string>) => {
    const { status, text } = await readCsv(workspace, 'moderation', query)
    expect(status, text).toBe(200)
    return parseCsv(text).map(({ caseNumber }) => caseNumber)
  }

  test('are all records of the list with the same filters, newest first', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    await moderate({ action: 'ban', userId: '1', reason: 'One' })
    await moderate({ action: 'ban', userId: '2', reason: 'Two', severity: 'critical' })
    await moderate({ action: 'unban', userId: '2' })
    for (let index = 0; index < 450; index++) await moderate({ action: 'note', userId: '3', reason: 'Note' })
    const all = await cases(workspace, {})
    expect(all).toEqual(Array.from({ length: 452 }, (_, index) => String(452 - index)))
    expect(await cases(workspace, { banList: 'true' })).toEqual(['1'])
    expect(await cases(workspace, { banHistory: 'true' })).toEqual(['2', '1'])
    expect(await cases(workspace, { userId: '1,2' })).toEqual(['2', '1'])
    expect(await cases(workspace, { severity: 'critical' })).toEqual(['2'])
    expect(await cases(workspace, { status: 'revoked' })).toEqual(['2'])
    expect(await cases(workspace, { actorUserId: workspace.ownerId })).toEqual([])
    const name = async (query: Record<string, string>) =>
      (await readCsv(workspace, 'moderation', query)).headers.get('content-disposition')
    expect(await name({})).toContain(`records-${day()}`)
    expect(await name({ banList: 'true' })).toContain(`bans-${day()}`)
    expect(await name({ banHistory: 'true' })).toContain(`ban-history-${day()}`)
  })

  test('never include those of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    await createWorkspaceRequests(instance, other).moderate({ action: 'ban', userId: '1', reason: 'Theirs' })
    expect(await cases(workspace, {})).toEqual([])
    expect(await cases(workspace, { userId: '1' })).toEqual([])
  })

  test('reject two lists at once, an invalid filter, and page parameters', async () => {
    const workspace = await instance.workspace()
    const findRejectedField = async (query: Record<string, string>) => {
      const { status, body } = await readCsv(workspace, 'moderation', query)
      return [status, body.details?.[0].field]
    }
    expect(await findRejectedField({ banList: 'true', banHistory: 'true' })).toEqual([400, 'banHistory'])
    expect(await findRejectedField({ severity: 'worst' })).toEqual([400, 'severity'])
    expect(await findRejectedField({ limit: '5' })).toEqual([400, 'limit'])
    expect(await findRejectedField({ cursor: 'AAAA' })).toEqual([400, 'cursor'])
  })
})

describe('the exported audit log', () => {
  test('contains the values before and after, and can be filtered', async () => {
    const workspace = await instance.workspace()
    const { writeDepartment } = createWorkspaceRequests(instance, workspace)
    const { id } = await writeDepartment({ name: 'First' })
    await writeDepartment({ id, name: 'Second' }, 'PATCH')
    await writeDepartment({ name: 'Other' })
    const rows = parseCsv((await readCsv(workspace, 'audit', { targetId: id })).text)
    expect(rows.map(({ action }) => action)).toEqual(['departments.update', 'departments.create'])
    const [update] = rows as [Record<string, string>]
    expect(JSON.parse(update.before ?? '')).toEqual({ name: 'First' })
    expect(JSON.parse(update.after ?? '')).toEqual({ name: 'Second' })
    expect(rows[1]?.before).toBe('')
    const all = parseCsv((await readCsv(workspace, 'audit')).text)
    const auditResponse = await instance.request(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&limit=200`,
      {
        session: workspace.ownerSession,
      },
    )
    expect(all.map(({ hash }) => hash)).toEqual(
      auditResponse.body.entries.map(({ hash }: { hash: string }) => hash),
    )
    expect(all.length).toBeGreaterThan(4)
  })

  test('is searched to its end, even if it is long', async () => {
    const workspace = await instance.workspace()
    const { writeDepartment } = createWorkspaceRequests(instance, workspace)
    await writeDepartment({ name: 'Long ago' })
    await advanceAuditSequence(instance, workspace.id, 70_000)
    await writeDepartment({ name: 'Now' })
    const rows = parseCsv((await readCsv(workspace, 'audit', { action: 'departments.create' })).text)
    expect(rows).toHaveLength(2)
  })

  test('rejects an invalid time, and page parameters', async () => {
    const workspace = await instance.workspace()
    for (const [field, value] of Object.entries({ from: 'yesterday', limit: '5' })) {
      const { status, body } = await readCsv(workspace, 'audit', { [field]: value })
      expect([status, body.details[0].field]).toEqual([400, field])
    }
  })
})

describe('exported usage', () => {
  test('is grouped by day, endpoint or actor', async () => {
    const workspace = await instance.workspace()
    const { writeDepartment } = createWorkspaceRequests(instance, workspace)
    await writeDepartment({ name: 'A' })
    await writeDepartment({ name: 'B' })
    expect(parseCsv((await readCsv(workspace, 'usage')).text)).toEqual([
      { day: day(), name: '', calls: '2', refused: '0', failed: '0' },
    ])
    const [byEndpoint] = parseCsv((await readCsv(workspace, 'usage', { by: 'endpoint' })).text)
    expect(byEndpoint).toMatchObject({ endpoint: 'departments', calls: '2' })
    const byActor = parseCsv((await readCsv(workspace, 'usage', { by: 'actor' })).text)
    expect(byActor.some(({ name }) => name?.startsWith('key '))).toBe(true)
  })

  test('rejects a time range that ends before it starts', async () => {
    const { status, body } = await readCsv(await instance.workspace(), 'usage', {
      from: '200000000000',
      to: '100000000000',
    })
    expect([status, body.details[0].field]).toEqual([400, 'to'])
  })
})

test('every file requires the permission of its list', async () => {
  const workspace = await instance.workspace()
  for (const [name, permission] of [
    ['moderation', 'moderation.view'],
    ['audit', 'audit.view'],
    ['usage', 'usage.view'],
  ] as const) {
    await expectAccessRules(instance, {
      method: 'GET',
      path: `/portal/api/${name}.csv`,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission,
    })
  }
  expect(instance.unexpectedErrors).toEqual([])
})
