import type { LoadContext, LoadResult, Prepared } from './scenario.ts'
import { findScenario } from './scenarios/index.ts'
import { readLines } from './support/child-process.ts'
import { setPriorityFor } from './support/priority.ts'

/**
 * `bun load-process.ts <json>`: generates the load of a scenario. Prints `ready`; when it receives a line, opens connections and
 * prints `connected`; when it receives another, begins, and prints what was done as JSON. Ends without a result when its input closes, or after an hour.
 */
export interface LoadArgument {
  readonly scenario: string
  readonly context: LoadContext
  readonly prepared: Prepared
}

const MAX_MS = 3_600_000

if (import.meta.main) {
  // Clients have processors of their own: the load gets only the time that the server leaves.
  setPriorityFor('load')
  const { scenario, context, prepared } = JSON.parse(String(process.argv[2])) as LoadArgument
  setTimeout(() => process.exit(1), MAX_MS)
  process.stdout.write('ready\n')
  const input = readLines(Bun.stdin.stream())
  // The parent closes the input when it ends.
  const waitForLine = async () => {
    if ((await input.next()).done) process.exit(1)
  }
  const { connect, run } = findScenario(scenario)
  await waitForLine()
  try {
    const connections = (await connect?.(context)) ?? []
    process.stdout.write('connected\n')
    await waitForLine()
    void waitForLine()
    const done = await run(context, prepared, connections)
    const result: LoadResult = typeof done === 'string' ? { work: done } : done
    process.stdout.write(`${JSON.stringify(result)}\n`)
    process.exit(0)
  } catch (error) {
    // The parent reports the message.
    process.stderr.write((error as Error).message)
    process.exit(1)
  }
}
