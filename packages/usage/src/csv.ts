import type { Actor, Ports } from '@reeve/core'
import type { Queries } from '@reeve/db'
import type { CsvFile } from '@reeve/http'
import type { Meter } from '@reeve/metering'
import type { UsageQueryInput } from './model.ts'
import { readUsage } from './read.ts'

/** The usage of a workspace as a CSV file: one line per day, endpoint or actor. */
export const createUsageCsv = (
  db: Queries,
  meter: Meter,
  ports: Ports,
  actor: Actor,
  input: UsageQueryInput,
): CsvFile => ({
  name: 'usage',
  createdAt: ports.now(),
  header: [input.by ?? 'day', 'name', 'calls', 'refused', 'failed'],
  async readPage() {
    const { usage } = await readUsage(db, meter, ports, actor, input)
    const lines = usage.map(({ group, name, calls, refused, failed }) => [
      group,
      name,
      calls,
      refused,
      failed,
    ])
    return { lines, nextCursor: null }
  },
})
