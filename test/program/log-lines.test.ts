import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type LogLineName, logLines } from '@reeve/api/log-lines'
import { renderLogReference } from '@reeve/api/log-reference'
import { PASSWORD } from '../support/instance.ts'
import { type LogLine, ROOT, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'

setDefaultTimeout(60_000)

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'

test('docs/logs.md documents the lines of the current log; `bun run docs:reference` writes it', async () => {
  expect(await Bun.file(join(ROOT, 'docs/logs.md')).text()).toBe(renderLogReference())
})

test('every line is written through the table that the page documents', async () => {
  const files = ['apps/api/src/**/*.ts', 'packages/*/src/**/*.ts'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: ROOT }),
  ])
  expect(files.length).toBeGreaterThan(200)
  const direct: string[] = []
  for (const file of files) {
    const text = await Bun.file(join(ROOT, file)).text()
    if (/\b[lL]og(ger)?\.(debug|info|warn|error|fatal)\(/.test(text)) direct.push(file)
  }
  expect(direct).toEqual(['apps/api/src/log.ts'])
})

describe('a running server', () => {
  const folder = temporaryFolder()
  let running: RunningServer
  let workspaceId: string
  let apiKey: string

  beforeAll(async () => {
    running = await startServer({
      dataDir: folder.data,
      // A socket that nobody listens on, for a warning.
      env: {
        REEVE_LOG_LEVEL: 'debug',
        REEVE_BACKUP_EVERY: '24h',
        NOTIFY_SOCKET: join(folder.path, 'nobody'),
      },
    })
    const result = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, stdin: PASSWORD })
    ;({ workspaceId, apiKey } = parseJsonOutput<{ workspaceId: string; apiKey: string }>(result))
  })
  afterAll(() => folder.remove())

  /** Sends a write. @returns its line in the log, and the response */
  async function write(headers: Record<string, string>): Promise<{ line: LogLine; response: Response }> {
    const requestId = crypto.randomUUID()
    const response = await fetch(`${running.url}/api/departments`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...{ 'x-request-id': requestId, ...headers },
      },
      body: JSON.stringify({ workspaceId, name: requestId }),
    })
    expect(response.status).toBe(200)
    return { line: await running.waitForLog((line) => line.requestId === requestId), response }
  }

  test('logs the trace of a request with its ID, and returns it nowhere', async () => {
    for (const traceparent of [
      `00-${TRACE_ID}-${SPAN_ID}-01`,
      `00-${TRACE_ID}-${SPAN_ID}-00`,
      `cc-${TRACE_ID}-${SPAN_ID}-01-what-the-future-appends`,
    ]) {
      const { line, response } = await write({ traceparent, tracestate: 'vendor=opaque' })
      expect(line).toMatchObject({ traceId: TRACE_ID, parentSpanId: SPAN_ID })
      expect(Object.keys(line).sort()).toEqual(
        ['level', 'msg', 'time', ...Object.keys(logLines.request.fields)].sort(),
      )
      const returned = JSON.stringify([...response.headers]) + (await response.text())
      for (const text of [TRACE_ID, SPAN_ID, 'traceparent', 'tracestate', 'opaque'])
        expect(returned).not.toContain(text)
    }
  })

  test('ignores an invalid traceparent', async () => {
    for (const traceparent of [
      'nonsense',
      `ff-${TRACE_ID}-${SPAN_ID}-01`,
      `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
      `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
      `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
      `00-${TRACE_ID}-${SPAN_ID}-01-more`,
      `00-${TRACE_ID}-${SPAN_ID}`,
      `00-${TRACE_ID}-${SPAN_ID}-01, 00-${TRACE_ID}-${SPAN_ID}-01`,
    ]) {
      const { line } = await write({ traceparent })
      expect(line).not.toHaveProperty('traceId')
      expect(line).not.toHaveProperty('parentSpanId')
    }
    expect((await write({})).line).not.toHaveProperty('traceId')
  })

  test('logs only documented lines and fields', async () => {
    await running.waitForLog(({ msg }) => msg === 'backup')
    expect(await running.stop()).toBe(0)
    const seen = new Set<LogLineName>()
    for (const { level, time: _, msg, ...fields } of running.log) {
      const name = findName(String(level), msg)
      seen.add(name)
      for (const field of Object.keys(fields)) expect(Object.keys(logLines[name].fields)).toContain(field)
      if (name !== 'request') expect(level).toBe(logLines[name].level)
    }
    expect([...seen].sort()).toEqual([
      ...(['backup', 'command', 'listening', 'request', 'setup', 'stopped', 'stopping', 'warning'] as const),
    ])
  })
})

/** The line in the table, by its message; a sentence by its beginning. */
function findName(level: string, message: string): LogLineName {
  const names = Object.keys(logLines) as LogLineName[]
  const found = names.find((name) => {
    const line = logLines[name]
    const pattern = 'message' in line ? line.message : name
    return pattern.endsWith('…') ? message.startsWith(pattern.slice(0, -1).trim()) : message === pattern
  })
  if (!found && level !== 'warn') throw new Error(`undocumented line: ${message}`)
  return found ?? 'warning'
}
