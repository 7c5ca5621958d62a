/**
 * Measures the insights of a year with a million records, and how long other work waits meanwhile.
 * `bun test/bench/insights.ts [records]`, and with REEVE_TEST_ENGINE=postgres on PostgreSQL.
 */
import { openInstance } from '../support/instance.ts'
import { createInsightData } from './insights/data.ts'
import { compareWithNaiveCounts } from './insights/naive-counts.ts'

const RECORDS = Number(process.argv[2] ?? 1_000_000)
const RUNS = 10

const instance = await openInstance()
const { id: workspaceId, key } = await instance.workspace()
const { firstDay, naive, sizes } = await createInsightData(instance, workspaceId, RECORDS)

const from = new Date(firstDay).toISOString()
const path = `/api/moderation/insights?${new URLSearchParams({ workspaceId, from })}`
/** Processor times in milliseconds, which other work on the machine changes less. On PostgreSQL, without those of the server. */
const processorTimes: number[] = []
for (let run = 0; run < RUNS; run++) {
  const before = process.cpuUsage()
  await instance.request('GET', path, { key })
  const { user, system } = process.cpuUsage(before)
  processorTimes.push((user + system) / 1000)
}
let longestBlock = 0
let isMeasuring = true
const watch = (async () => {
  for (let last = performance.now(); isMeasuring; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const now = performance.now()
    longestBlock = Math.max(longestBlock, now - last)
    last = now
  }
})()
const durations: number[] = []
const bodies: Awaited<ReturnType<typeof instance.request>>['body'][] = []
for (let run = 0; run < RUNS; run++) {
  const start = performance.now()
  const { status, body, text } = await instance.request('GET', path, { key })
  durations.push(performance.now() - start)
  if (status !== 200) throw new Error(text)
  bodies.push(body)
}
isMeasuring = false
await watch
const numbers = bodies.reduce((sum, body) => sum + compareWithNaiveCounts(body, naive), 0)
const findMedian = (times: number[]): string =>
  (times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0).toFixed(0)
const data = Object.entries(sizes).map(([name, size]) => `${size} ${name}`)
process.stdout.write(
  `${data.join(', ')}: median ${findMedian(durations)} ms, slowest ${Math.max(...durations).toFixed(0)} ms, processor time ` +
    `${findMedian(processorTimes)} ms, longest block ${longestBlock.toFixed(1)} ms; ${numbers} numbers are right\n`,
)
await instance.close()
