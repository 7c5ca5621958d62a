import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importText, readImport, listRecords } = createImportRequests(() => instance)

const listNames = async (workspace: Workspace) =>
  (await listRecords(workspace)).map(({ userUsername }: { userUsername: string }) => userUsername)

const CSV = 'userId;userUsername;occurredAt\n1;Jürgen;2026-01-05\n2;Robin;2026-01-05\n3;Zoë;2026-01-05\n'
const MARK = '\ufeff'

test('a file is UTF-8 or UTF-16, each with or without a byte order mark', async () => {
  const files = [
    CSV,
    MARK + CSV,
    Buffer.from(MARK + CSV, 'utf16le'),
    Buffer.from(MARK + CSV, 'utf16le').swap16(),
    Buffer.from(CSV, 'utf16le'),
    Buffer.from(CSV, 'utf16le').swap16(),
  ]
  for (const file of files) {
    const { workspace, result } = await importText('csv', 'bans.csv', file)
    expect(result).toMatchObject({ created: '3', unreadable: '0', warning: null })
    expect(await listNames(workspace)).toEqual(['Jürgen', 'Robin', 'Zoë'])
  }
})

test('a file of UTF-16 without a byte order mark is recognized although few of its characters are ASCII', async () => {
  const names = ['王一', '李一一', 'Нијамат Ĝ']
  const rows = names.map((name, index) => `${index + 1};${name};2026-01-05;${'一切都是作弊 Читы'.repeat(3)}`)
  const csv = ['userId;userUsername;occurredAt;reason', ...rows, ''].join('\n')
  for (const file of [Buffer.from(csv, 'utf16le'), Buffer.from(csv, 'utf16le').swap16()]) {
    const { workspace, result } = await importText('csv', 'bans.csv', file)
    expect(result).toMatchObject({ created: '3', unreadable: '0', warning: null })
    expect(await listNames(workspace)).toEqual(names)
  }
})

test('entries with characters of another encoding are counted and named, in a dry run and after the import', async () => {
  const file = Buffer.from(CSV, 'latin1')
  const { workspace, result } = await importText('csv', 'bans.csv', file, { dryRun: true })
  const warning =
    '2 entries have characters that are not UTF-8, which arrive as \ufffd: lines 2, 4. Save the file as UTF-8, in Excel as “CSV UTF-8”, before you import it.'
  expect(result).toMatchObject({ state: 'succeeded', error: null, warning })
  const { id: workspaceId, ownerSession: session } = workspace
  const body = { workspaceId, id: result.id }
  const applied = await instance.request('POST', '/portal/api/imports/apply', { session, body })
  expect(applied.body.import).toMatchObject({ error: null, warning: null })
  await instance.runImports()
  expect((await readImport(workspace, result.id)).result).toMatchObject({ created: '3', warning })
})

test('a few zero bytes do not make a file of UTF-8, or of another encoding, one of UTF-16', async () => {
  const csv = CSV.replace('Robin', 'Ro\0bi\0n')
  const utf8 = await importText('csv', 'bans.csv', csv)
  expect(utf8.result).toMatchObject({ created: '3', unreadable: '0', warning: null })
  expect((await listNames(utf8.workspace))[0]).toBe('Jürgen')
  const { result } = await importText('csv', 'bans.csv', Buffer.from(csv, 'latin1'))
  expect(result).toMatchObject({
    created: '3',
    warning: expect.stringContaining('2 entries have characters that are not UTF-8'),
  })
})
