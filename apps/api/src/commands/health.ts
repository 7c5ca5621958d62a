import { localCommand } from '../command-line/command.ts'
import { readSettings, resolvePublicUrl } from '../config.ts'

interface HealthReport {
  readonly ready: boolean
  /** What was requested: a URL, or `unix:` and the path of the socket. */
  readonly server: string
  /** Why it is not ready; null if it is. */
  readonly problem: string | null
}

const TIMEOUT_MS = 5000

/** Requests `/readyz` of the server with the same settings, for containers without another program that could. */
export const healthCommand = localCommand({
  options: {},
  settings: ['host', 'port', 'listen'],
  async run({ flags, env }): Promise<HealthReport> {
    const { host, port, listen } = readSettings(['host', 'port', 'listen'], flags, env)
    const url = new URL('/readyz', resolvePublicUrl({ host, publicUrl: null }, port)).href
    const server = listen === null ? url : `unix:${listen}`
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      // A proxy from the environment would look for this address on its own machine.
      const response = await fetch(url, {
        signal,
        ...(listen === null ? { proxy: false } : { unix: listen }),
      })
      const problem = response.ok ? null : `the server responded with status ${response.status}`
      return { ready: response.ok, server, problem }
    } catch (error) {
      return { ready: false, server, problem: (error as Error).message }
    }
  },
  print: ({ ready, server, problem }) =>
    ready ? 'The server is ready.' : `Not ready: ${server}: ${problem}`,
  exitCode: ({ ready }) => (ready ? 0 : 1),
})
