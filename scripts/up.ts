import { join } from 'node:path'
import { assertBunVersion, build, install, ROOT, run, stepEnvironment } from './step.ts'

/** Installs, builds and serves, and ends with the address and, at the first start, the code for the set-up page. */
async function up(): Promise<number> {
  await assertBunVersion()
  console.log('Reeve: install, build, serve. Ctrl-C ends it.')
  for (const step of [install, build]) if (!(await run(step)).ok) return 1
  const server = Bun.spawn([join(ROOT, 'dist/reeve'), 'serve', ...process.argv.slice(2)], {
    cwd: ROOT,
    env: stepEnvironment(true),
    stdin: 'inherit',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
  await Promise.all([
    eachLine(server.stdout, (line) => console.log(formatStartupLine(line) ?? line)),
    eachLine(server.stderr, (line) => console.error(line)),
  ])
  return server.exited
}

async function eachLine(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let remainder = ''
  for await (const chunk of stream) {
    const lines = (remainder + decoder.decode(chunk, { stream: true })).split('\n')
    remainder = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}

/** What the server's log says of its start, in words; null for any other line, which goes through as it is. */
function formatStartupLine(line: string): string | null {
  const { publicUrl, dataDir, firstRunCode } = parseLogLine(line)
  if (publicUrl) return `\n  Address         ${publicUrl}\n  Data folder     ${dataDir}\n`
  if (!firstRunCode) return null
  return [
    `  First-run code  ${firstRunCode}`,
    '                  There is no account yet: enter the code at the address above,',
    '                  or run `dist/reeve init` in another terminal (--help says how).\n',
  ].join('\n')
}

function parseLogLine(line: string): Partial<Record<string, string>> {
  try {
    return JSON.parse(line) as Record<string, string>
  } catch {
    return {}
  }
}

process.exit(await up())
