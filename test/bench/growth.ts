import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Load, median, type Plan, runLoad } from './load.ts'
import { createMinLine, formatRate, type Line } from './report.ts'
import { seed } from './seed.ts'
import { startReeve } from './servers.ts'

/** S5 passes if the large instance takes at most 1.25 times as long as the small one. */
const MIN_RATIO = 1 / 1.25

/** S5: the ban check and the next events with many records, compared with few. */
export async function growth(
  scratch: string,
  plan: Plan,
  quick: boolean,
  log: (line: string) => void,
): Promise<Line[]> {
  // Both have the same number of workspaces: only the records grow.
  const sharedSize = { workspaces: quick ? 100 : 1_000, eventsEach: 50 }
  const sizes = [
    { name: 'small', size: { ...sharedSize, records: 10_000 } },
    { name: 'large', size: { ...sharedSize, records: quick ? 500_000 : 10_000_000 } },
  ]
  const seeded = []
  for (const { name, size } of sizes) {
    log(`S5: seeding ${size.records.toLocaleString('en')} records`)
    seeded.push(await seed(join(scratch, name, 'reeve'), size, log))
  }
  const [small, large] = seeded
  if (!small || !large) throw new Error('nothing was seeded')
  const servers = [await startReeve(small.settings), await startReeve(large.settings)] as const
  const lines: Line[] = []
  try {
    for (const script of ['one', 'events'] as const) {
      log(`S5: ${script}`)
      const load: Load = { script, target: 'reeve', seconds: plan.seconds, connections: 64 }
      const rates: [number[], number[]] = [[], []]
      for (const [index, data] of [small, large].entries()) {
        await runLoad((servers[index] as (typeof servers)[0]).url, data, {
          ...load,
          seconds: plan.warmUpSeconds,
        })
      }
      for (let round = 0; round < plan.rounds; round++) {
        for (const [index, data] of [small, large].entries()) {
          rates[index]?.push(
            (await runLoad((servers[index] as (typeof servers)[0]).url, data, load)).perSecond,
          )
        }
      }
      const [smallRate, largeRate] = [median(rates[0]), median(rates[1])]
      const records = (sizes[1]?.size.records ?? 0).toLocaleString('en')
      lines.push(
        createMinLine(MIN_RATIO, {
          promise: 'S5',
          work: `${script === 'one' ? 'ban check' : 'next 20 events'} with ${records} records`,
          reeve: formatRate(largeRate),
          compared: `${formatRate(smallRate)} with 10,000`,
          ratio: largeRate / smallRate,
        }),
      )
    }
  } finally {
    for (const server of servers) await server.stop()
    rmSync(join(scratch, 'large'), { recursive: true, force: true })
  }
  return lines
}
