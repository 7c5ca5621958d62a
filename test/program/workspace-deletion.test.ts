import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { idLiteral } from '../support/engine.ts'
import { PASSWORD } from '../support/instance.ts'
import { pollUntil } from '../support/poll.ts'
import { startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

setDefaultTimeout(60_000)

const ROWS = 60_000

let folder: TemporaryFolder
let workspaceId: string
beforeAll(async () => {
  folder = temporaryFolder()
  const result = await runInFolder(folder, [...INIT_ARGS, '--json'], `${PASSWORD}\n`)
  workspaceId = parseJsonOutput<{ workspaceId: string }>(result).workspaceId
})
afterAll(() => folder.remove())

const run = (...args: string[]) => runInFolder(folder, args)
const execute = (sql: string) => {
  const db = new Database(join(folder.data, 'reeve.db'))
  db.run(sql)
  db.close()
}
const readCount = (sql: string): number => {
  const db = new Database(join(folder.data, 'reeve.db'), { readonly: true })
  const row = db.query<{ count: number }, []>(`select count(*) as count from ${sql}`).get()
  db.close()
  return row?.count ?? 0
}
const ofWorkspace = () => `where workspace_id = ${idLiteral(workspaceId, 'SQLite')}`
const countUsage = () => readCount(`usage ${ofWorkspace()}`)

/** Expects that the audit log is intact, and that the doctor finds nothing wrong with it. */
async function expectHealthy() {
  expect(await run('audit', 'verify')).toMatchObject({ exitCode: 0 })
  const { out } = await run('doctor', '--json')
  const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string }[] }
  expect(findings.filter(({ verdict }) => verdict === 'fault')).toEqual([])
}

test('`workspace delete` and `undelete` name what they need, and `workspace list` shows the day', async () => {
  const active = await run('workspace', 'delete', '--workspace', workspaceId, '--yes')
  expect([active.exitCode, active.err]).toEqual([1, 'Archive the workspace before you delete it.\n'])
  execute('update workspace set archived_at = 1')
  const unconfirmed = await run('workspace', 'delete', '--workspace', workspaceId)
  expect(unconfirmed.exitCode).toBe(2)
  expect(unconfirmed.err).toContain('Repeat the command with --yes.')
  const requested = await run('workspace', 'delete', '--workspace', workspaceId, '--yes')
  const [, day = ''] = /will be deleted at (\d{4}-\d\d-\d\d)T/.exec(requested.out) ?? []
  expect(Date.parse(day) - Date.now()).toBeGreaterThan(28 * 86_400_000)
  expect((await run('workspace', 'list')).out).toContain(day)
  const undone = await run('workspace', 'undelete', '--workspace', workspaceId)
  expect(undone.out).toBe('Night Owls will not be deleted. It is still archived.\n')
  expect((await run('workspace', 'list')).out).toContain(' never ')
})

test('a server that is killed while it deletes a workspace continues after its next start', async () => {
  expect((await run('workspace', 'delete', '--workspace', workspaceId, '--yes')).exitCode).toBe(0)
  execute(`update workspace set delete_at = 1`)
  execute(
    `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${ROWS})
     insert into usage select ${idLiteral(workspaceId, 'SQLite')}, number, 'events', ${idLiteral(workspaceId, 'SQLite')}, 2, 1
     from numbers`,
  )
  const first = await startServer({ dataDir: folder.data })
  await pollUntil(async () => countUsage() < ROWS - 1000, 'rows are deleted')
  first.signal('SIGKILL')
  await first.exited
  expect(countUsage()).toBeGreaterThan(0)
  await expectHealthy()
  // Otherwise the next server leaves the job to the one that had it for a minute.
  execute('delete from job')
  const second = await startServer({ dataDir: folder.data })
  const line = await second.waitForLog(({ msg }) => msg === 'workspace deleted')
  expect(line).toMatchObject({ workspace: workspaceId, groupName: 'Night Owls' })
  await second.stop()
  for (const table of ['usage', 'audit', 'member', 'role', 'api_key', 'workspace_head'])
    expect([table, readCount(`${table} ${ofWorkspace()}`)]).toEqual([table, 0])
  expect((await run('workspace', 'list', '--json')).out).toBe('{"workspaces":[]}\n')
  await expectHealthy()
})
