import { join } from 'node:path'
import { SECRET_KEY } from '../support/secret-key.ts'

const root = join(import.meta.dir, '../..')
/** The single-file build. */
export const BINARY = join(root, 'dist/reeve')

/** A server under load in its own process. */
export interface BenchServer {
  readonly url: string
  readonly pid: number
  /** Resident memory in bytes. */
  readonly readMemory: () => Promise<number>
  readonly stop: () => Promise<void>
}

const READY_URL = /(http:\/\/127\.0\.0\.1:\d+)/

async function startProcess(command: string[], env: Record<string, string>): Promise<BenchServer> {
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const decoder = new TextDecoder()
  let output = ''
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk)
    const url = READY_URL.exec(output)?.[1]
    if (!url) continue
    return {
      url,
      pid: child.pid,
      async readMemory() {
        const status = await Bun.file(`/proc/${child.pid}/status`).text()
        return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
      },
      async stop() {
        child.kill('SIGTERM')
        await child.exited
      },
    }
  }
  throw new Error(`${command.join(' ')} did not start: ${output}${await new Response(child.stderr).text()}`)
}

/**
 * The built Reeve binary, with rate limits that are computed but never reached.
 * @param settings those with the location of the data
 */
export const startReeve = (settings: Readonly<Record<string, string>>): Promise<BenchServer> =>
  startProcess([BINARY, 'serve', '--port', '0'], {
    REEVE_SECRET_KEY: SECRET_KEY,
    ...settings,
    REEVE_KEY_RATE_PER_MINUTE: '1000000000',
    REEVE_LOG_LEVEL: 'warn',
  })

/** The baseline server on the same data; without a database it only responds. */
export const startBaseline = (database?: string): Promise<BenchServer> =>
  startProcess(
    [process.execPath, join(import.meta.dir, 'baseline/server.ts'), ...(database ? [database] : [])],
    {},
  )
