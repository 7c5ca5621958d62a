import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pollFor } from '../support/poll.ts'
import { ROOT, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

const DUMP = join(ROOT, 'test/import/litebans.sql')
const DAMAGED = join(ROOT, 'test/import/litebans-damaged.sql')
/** So many rows that a server is killed in the middle of them. */
const ROWS = Number(process.env.REEVE_IMPORT_ROWS ?? 3000)

let folder: TemporaryFolder
let workspace: string
let key: string

beforeAll(async () => {
  folder = temporaryFolder()
  const created = parseJsonOutput<{ workspaceId: string; apiKey: string }>(
    await runInFolder(folder, [...INIT_ARGS, '--json'], 'a long enough secret'),
  )
  workspace = created.workspaceId
  key = created.apiKey
}, 60_000)
afterAll(() => folder.remove())

const run = (...args: string[]) => runInFolder(folder, args)
const importFile = (file: string, ...args: string[]) =>
  run('import', '--workspace', workspace, '--format', 'litebans', ...args, file)

describe('reeve import', () => {
  test('on a stopped instance reports with --dry-run, imports, and changes nothing a second time', async () => {
    const dryRun = await importFile(DUMP, '--dry-run')
    expect(dryRun.err).toBe('')
    expect(dryRun.out).toContain('Dry run of litebans.sql, nothing was changed: 6 created, 0 imported before')
    expect(dryRun.out).toContain('line 32: unreadable: it is about the IP address only')
    expect(dryRun.out).toContain('created: ban minecraft:069a79f444e94726a5befca90e38aaf5, bans:1')
    expect(dryRun.exitCode).toBe(0)
    expect((await importFile(DUMP)).out).toStartWith('Import of litebans.sql: 6 created')
    expect((await importFile(DUMP)).out).toStartWith('Import of litebans.sql: 0 created, 6 imported before')
    const { out } = await run('import', 'list', '--workspace', workspace)
    expect(out.match(/succeeded/g)).toHaveLength(3)
  }, 60_000)

  test('names a file that cannot be read, and an unknown format', async () => {
    expect(await importFile('/nowhere/x.sql')).toMatchObject({
      exitCode: 1,
      err: '/nowhere/x.sql cannot be read. Check the path and its permissions.\n',
    })
    const unknown = await run('import', '--workspace', workspace, '--format', 'litebanz', DUMP)
    expect(unknown.exitCode).toBe(2)
    expect(unknown.err).toContain('--format must be one of litebans')
  }, 60_000)
})

/** The source ids of all records of a source, and how many records have each. */
async function countBySourceId(server: RunningServer, source: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let cursor = ''; ; ) {
    const url = `${server.url}/api/moderation?workspaceId=${workspace}&limit=200${cursor}`
    const body = await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()
    for (const record of body.records)
      if (record.source === source) counts.set(record.sourceId, (counts.get(record.sourceId) ?? 0) + 1)
    if (body.nextCursor === null) return counts
    cursor = `&cursor=${body.nextCursor}`
  }
}

test('an import that a kill -9 interrupts continues with the next start, without doubles', async () => {
  const file = join(folder.path, 'large.csv')
  const rows = Array.from({ length: ROWS }, (_, index) => `${index + 1},2026-01-05,row ${index},id-${index}`)
  writeFileSync(file, `userId,occurredAt,reason,sourceId\n${rows.join('\n')}\n`)
  const options = { dataDir: folder.data, env: { REEVE_KEY_RATE_PER_MINUTE: '0' } }
  let server = await startServer(options)
  const command = runReeve(
    ['import', '--workspace', workspace, '--format', 'csv', '--source', 'large', file],
    options,
  )
  const readImport = async () => {
    const { out } = await run('import', 'list', '--workspace', workspace, '--json')
    return JSON.parse(out).imports[0]
  }
  const waitForImport = (
    isReached: (current: { source: string; processed: string; state: string }) => boolean,
    description: string,
  ) => pollFor(readImport, isReached, description)
  await waitForImport(
    ({ source, processed }) => source === 'large' && Number(processed) > 0,
    'the import has processed entries',
  )
  server.signal('SIGKILL')
  await server.exited
  await command
  const interrupted = await readImport()
  expect(interrupted.state).toBe('running')
  expect(Number(interrupted.processed)).toBeLessThan(ROWS)
  server = await startServer(options)
  try {
    const finished = await waitForImport(({ state }) => state !== 'running', 'the import has ended')
    expect(finished).toMatchObject({ state: 'succeeded', created: String(ROWS), known: '0' })
    const counts = await countBySourceId(server, 'large')
    expect(counts.size).toBe(ROWS)
    expect(new Set(counts.values())).toEqual(new Set([1]))
    // With the server running, through its control socket.
    const damaged = await importFile(DAMAGED, '--source', 'other', '--conflicts', 'merge', '--json')
    expect(JSON.parse(damaged.out)).toMatchObject({ import: { unreadable: '5', state: 'succeeded' } })
  } finally {
    await server.stop()
  }
}, 120_000)
