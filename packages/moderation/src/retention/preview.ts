import { type Actor, type Ports, wire } from '@reeve/core'
import { type Queries, yieldToEventLoop } from '@reeve/db'
import { newestCaseNumber } from '../records/list-statements.ts'
import { countDue, findNextRun, RANGE_CASES, toCutoffs } from './due.ts'
import type { RetentionPreviewInput } from './model.ts'

/**
 * Counts the records that the next run would delete with these rules, in steps between which other requests run.
 * @param input the days of each action; absent keeps its records
 */
export async function previewRetention(
  db: Queries,
  ports: Pick<Ports, 'now'>,
  { workspaceId }: Actor,
  input: RetentionPreviewInput,
) {
  const now = findNextRun(ports.now())
  const rules = {
    note_days: input.noteDays ?? null,
    warn_days: input.warnDays ?? null,
    kick_days: input.kickDays ?? null,
    mute_days: input.muteDays ?? null,
    ban_days: input.banDays ?? null,
  }
  const cutoffs = toCutoffs(workspaceId, rules, now)
  const counts = { note: 0, warn: 0, kick: 0, mute: 0, ban: 0 }
  const newest = (await db.first(newestCaseNumber, { workspaceId }))?.case_number ?? 0
  for (let after = 0; after < newest; after += RANGE_CASES) {
    for (const { action, count } of await db.all(countDue, { ...cutoffs, after, last: after + RANGE_CASES }))
      counts[action] += Number(count)
    await yieldToEventLoop()
  }
  const { note, warn, kick, mute, ban } = counts
  return {
    due: {
      notes: String(note),
      warnings: String(warn),
      kicks: String(kick),
      mutes: String(mute),
      bans: String(ban),
      total: String(note + warn + kick + mute + ban),
      at: wire.time.write(now),
    },
  }
}
