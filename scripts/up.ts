import { join } from 'node:path'
import { assertBunVersion, build, install, ROOT, run, STOP_SIGNALS, stepEnvironment } from './step.ts'

/** Installs, builds and runs the server. Prints its URL and, before there is an account, the first-run code. */
async function up(): Promise<number> {
  await assertBunVersion()
  console.log('Reeve: installing, building and starting the server. Press Ctrl-C to stop it.')
  for (const step of [install, build]) if (!(await run(step)).ok) return 1
  let server: Bun.ReadableSubprocess | undefined
  // Before the server starts, so that a signal never ends only this process.
  for (const signal of STOP_SIGNALS) process.on(signal, () => server?.kill(signal))
  server = Bun.spawn([join(ROOT, 'dist/reeve'), 'serve', ...process.argv.slice(2)], {
    cwd: ROOT,
    env: stepEnvironment(true),
    stdin: 'inherit',
    stdout: 'pipe',
    stderr: 'pipe',
  })
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

/** Formats the startup lines of the server's log; null for any other line, which is printed unchanged. */
function formatStartupLine(line: string): string | null {
  const { publicUrl, dataDir, firstRunCode } = parseLogLine(line)
  if (publicUrl) return `\n  URL             ${publicUrl}\n  Data folder     ${dataDir}\n`
  if (!firstRunCode) return null
  return [
    `  First-run code  ${firstRunCode}`,
    '                  No account exists yet. Enter the code at the URL above,',
    '                  or run `dist/reeve init` in another terminal (see --help).\n',
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
