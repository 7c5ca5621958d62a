import { openConnection } from '../faults/support/connection.ts'
import type { WorkspaceCredentials } from '../faults/support/populate.ts'
import { readLines } from './support/child-process.ts'
import { setPriorityFor } from './support/priority.ts'

/**
 * `bun probe.ts <json>`: sends ban checks at a fixed rate while `start` and `stop` come in as lines, and prints the results of
 * each interval as JSON. A check never waits for earlier ones, so a server that stalls is measured by all checks that it delays.
 */
export interface ProbeArgument {
  readonly url: string
  readonly workspace: WorkspaceCredentials
  readonly firstPlayer: number
  readonly bannedPlayers: number
}

/** The ban checks of an interval. Times are in milliseconds. */
export interface ProbeResult {
  readonly checks: number
  /** How many did not return 200. */
  readonly rejected: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const CHECKS_PER_SECOND = 250
const MAX_CHECK_MS = 60_000

type Connection = ReturnType<typeof openConnection>

function createProbe({ url, workspace, firstPlayer, bannedPlayers }: ProbeArgument) {
  const idle: Connection[] = []
  const pending = new Set<Promise<void>>()
  let times: number[] = []
  let rejected = 0
  let sent = 0

  async function check(): Promise<void> {
    // Half of the checked players are banned.
    const player = firstPlayer + ((sent * 7919) % (2 * bannedPlayers))
    sent += 1
    const connection = idle.pop() ?? openConnection(url)
    const startedAt = performance.now()
    const request = connection.request({
      method: 'GET',
      path: `/api/moderation?banList=true&workspaceId=${workspace.workspaceId}&userId=${player}`,
      headers: { authorization: `Bearer ${workspace.key}` },
    })
    const status = await Promise.race([
      request.then((response) => response.status).catch(() => 0),
      Bun.sleep(MAX_CHECK_MS).then(() => 0),
    ])
    times.push(performance.now() - startedAt)
    if (status === 200) {
      idle.push(connection)
      return
    }
    rejected += 1
    connection.close()
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    start() {
      times = []
      rejected = 0
      const startedAt = performance.now()
      let due = 0
      const sendDue = () => {
        const elapsed = performance.now() - startedAt
        for (; (due * 1000) / CHECKS_PER_SECOND <= elapsed; due++) {
          const promise = check().finally(() => pending.delete(promise))
          pending.add(promise)
        }
        timer = setTimeout(sendDue, (due * 1000) / CHECKS_PER_SECOND - elapsed)
      }
      sendDue()
    },
    async stop(): Promise<ProbeResult> {
      clearTimeout(timer)
      await Promise.all(pending)
      const sorted = times.toSorted((a, b) => a - b)
      const quantile = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
      return {
        checks: sorted.length,
        rejected,
        p50: quantile(0.5),
        p99: quantile(0.99),
        max: sorted.at(-1) ?? Number.NaN,
      }
    },
  }
}

if (import.meta.main) {
  // The delay of the measuring process is not the server's.
  setPriorityFor('measurement')
  const probe = createProbe(JSON.parse(String(process.argv[2])) as ProbeArgument)
  for await (const line of readLines(Bun.stdin.stream())) {
    if (line === 'start') probe.start()
    else process.stdout.write(`${JSON.stringify(await probe.stop())}\n`)
  }
  process.exit(0)
}
