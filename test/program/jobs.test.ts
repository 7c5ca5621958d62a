import { afterAll, beforeAll, expect, test } from 'bun:test'
import { UNKNOWN_ID } from '../support/instance.ts'
import { METRICS_ENV, readServerMetrics } from '../support/metrics.ts'
import { runReeve } from '../support/program.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let workspaceId: string
let session: string

beforeAll(async () => {
  server = await startTestServer(METRICS_ENV)
  const setUp = await server.setUp()
  workspaceId = setUp.workspaceId
  session = setUp.session
}, 60_000)
afterAll(() => server.close())

const run = (...args: string[]) => runReeve(args, { dataDir: server.dataDir })

test('the command line shows, watches and cancels jobs of a running server', async () => {
  const archived = await server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, archive: 'true' },
  })
  const { id } = archived.body.job
  const watched = await run('job', 'watch', '--id', id)
  expect([watched.exitCode, watched.out]).toEqual([0, `archive [${'#'.repeat(30)}] 100 % succeeded\n`])
  const listed = JSON.parse((await run('job', 'list', '--workspace', workspaceId, '--json')).out)
  expect(listed.jobs).toMatchObject([{ id, kind: 'archive', state: 'succeeded' }])
  expect(JSON.parse((await run('job', 'list', '--json')).out)).toEqual({ jobs: [] })
  const cancelled = await run('job', 'cancel', '--id', id)
  expect([cancelled.exitCode, cancelled.err]).toEqual([1, 'The job is already finished.\n'])
  const unknown = await run('job', 'show', '--id', UNKNOWN_ID)
  expect([unknown.exitCode, unknown.err]).toEqual([
    1,
    `There is no job ${UNKNOWN_ID}. Run \`reeve job list\` to list the jobs.\n`,
  ])
}, 60_000)

test('finished jobs are counted in the metrics, with their duration', async () => {
  const text = await readServerMetrics(server.origin)
  expect(text).toContain('reeve_workspace_job_duration_seconds_count{kind="archive",result="succeeded"} 1')
  expect(text).toContain('reeve_workspace_jobs{state="queued"} 0')
  expect(text).toContain('reeve_workspace_jobs{state="running"} 0')
})
