/**
 * Measures the insights of a year with a million records, and how long other work waits meanwhile.
 * `bun test/bench/insights.ts [records]`, and with REEVE_TEST_ENGINE=postgres on PostgreSQL.
 */
import { DAY_MS } from '@reeve/core'
import { countRecordChange, startWaiting } from '@reeve/db'
import { openInstance } from '../support/instance.ts'

const RECORDS = Number(process.argv[2] ?? 1_000_000)
const DAYS = 365
const MODERATORS = 50
const COMMON_REASONS = 60
/** One reason in so many is a text that nobody has used before. */
const UNIQUE_EVERY = 10
const REPORTS = RECORDS / 10
const RUNS = 10
const PER_TRANSACTION = 1000

const instance = await openInstance()
const { id: workspace_id, key } = await instance.workspace()
const actors = Array.from({ length: MODERATORS }, () => instance.ports.newId())
const firstDay = Math.floor(instance.clock.now() / DAY_MS) - DAYS + 1
const actions = ['ban', 'mute', 'warn', 'kick'] as const
const expectedReasons = new Map<string, number>()
const expected = { ban: 0, mute: 0, warn: 0, kick: 0 }

for (let start = 0; start < RECORDS; start += PER_TRANSACTION) {
  await instance.db.write(async (tx) => {
    for (let index = start; index < start + PER_TRANSACTION; index++) {
      const action = actions[Number(Bun.hash.wyhash(`a${index}`) % 4n)] ?? 'warn'
      const created_at = (firstDay + (index % DAYS)) * DAY_MS + index
      const text =
        index % UNIQUE_EVERY === 0
          ? `Seen ${index} times in one hour by two of us`
          : `Reason number ${Number(Bun.hash.wyhash(`r${index}`) % BigInt(COMMON_REASONS))}`
      expectedReasons.set(text, (expectedReasons.get(text) ?? 0) + 1)
      const actor_id = actors[Number(Bun.hash.wyhash(`m${index}`) % BigInt(MODERATORS))] ?? ''
      const record = {
        workspace_id,
        id: '',
        action,
        user_id: String(index),
        actor_kind: 'account' as const,
        actor_id,
        reason: text,
        revoked_at: index % 20 === 0 ? created_at : null,
        created_at,
      }
      await countRecordChange(tx, null, record)
    }
  })
}
for (let index = 0; index < RECORDS; index++)
  expected[actions[Number(Bun.hash.wyhash(`a${index}`) % 4n)] ?? 'warn'] += 1
for (let start = 0; start < REPORTS; start += PER_TRANSACTION) {
  await instance.db.write(async (tx) => {
    for (let index = start; index < start + PER_TRANSACTION; index++) {
      const opened_at = (firstDay + (index % DAYS)) * DAY_MS + index
      const id = instance.ports.newId()
      await startWaiting(tx, 'report', { workspace_id, id, user_id: String(index), opened_at })
    }
  })
}

const from = new Date(firstDay * DAY_MS).toISOString()
const path = `/api/moderation/insights?${new URLSearchParams({ workspaceId: workspace_id, from })}`
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
for (let run = 0; run < RUNS; run++) {
  const start = performance.now()
  const { status, body, text } = await instance.request('GET', path, { key })
  durations.push(performance.now() - start)
  if (status !== 200) throw new Error(text)
  const { bans, mutes, warnings, kicks } = body.totals
  if ([bans, mutes, warnings, kicks].join() !== Object.values(expected).join())
    throw new Error(`the counts differ: ${JSON.stringify(body.totals)} and ${JSON.stringify(expected)}`)
}
isMeasuring = false
const { reasons } = (await instance.request('GET', path, { key })).body
const naive = [...expectedReasons].sort(
  ([one, count], [other, next]) => next - count || (one < other ? -1 : 1),
)
for (const [index, row] of reasons.entries()) {
  const count = Number(row.bans) + Number(row.mutes) + Number(row.warnings) + Number(row.kicks)
  if (row.reason !== naive[index]?.[0] || count !== naive[index]?.[1])
    throw new Error(`the reasons differ: ${row.reason} ${count} and ${naive[index]}`)
}
await watch
durations.sort((one, other) => one - other)
const median = durations[Math.floor(durations.length / 2)] ?? 0
process.stdout.write(
  `${RECORDS} records, ${REPORTS} reports: median ${median.toFixed(0)} ms, slowest ${durations.at(-1)?.toFixed(0)} ms, longest block ${longestBlock.toFixed(1)} ms\n`,
)
await instance.close()
