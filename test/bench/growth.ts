import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Load, measure, median } from './load.ts'
import { atLeast, type Line, perSecond } from './report.ts'
import type { Plan } from './run.ts'
import { seed } from './seed.ts'
import { startReeve } from './servers.ts'

/** S5 is kept where the large instance answers at no more than 1.25 times the small one's time. */
const GROWTH = 1 / 1.25

/** S5: the ban check and the next events with many records, against themselves with few. */
export async function growth(
  scratch: string,
  plan: Plan,
  quick: boolean,
  say: (line: string) => void,
): Promise<Line[]> {
  // As many workspaces in both: only the records grow.
  const each = { workspaces: quick ? 100 : 1_000, eventsEach: 50 }
  const sizes = [
    { name: 'small', size: { ...each, records: 10_000 } },
    { name: 'large', size: { ...each, records: quick ? 500_000 : 10_000_000 } },
  ]
  const made = []
  for (const { name, size } of sizes) {
    say(`S5: seeding ${size.records.toLocaleString('en')} records`)
    made.push(await seed(join(scratch, name, 'reeve'), size, say))
  }
  const [small, large] = made
  if (!small || !large) throw new Error('nothing was seeded')
  const servers = [await startReeve(small.place), await startReeve(large.place)] as const
  const lines: Line[] = []
  try {
    for (const script of ['one', 'events'] as const) {
      say(`S5: ${script}`)
      const load: Load = { script, target: 'reeve', seconds: plan.seconds, connections: 64 }
      const rates: [number[], number[]] = [[], []]
      for (const [index, data] of [small, large].entries()) {
        await measure((servers[index] as (typeof servers)[0]).url, data, {
          ...load,
          seconds: plan.warmUpSeconds,
        })
      }
      for (let round = 0; round < plan.rounds; round++) {
        for (const [index, data] of [small, large].entries()) {
          rates[index]?.push(
            (await measure((servers[index] as (typeof servers)[0]).url, data, load)).perSecond,
          )
        }
      }
      const [few, many] = [median(rates[0]), median(rates[1])]
      const records = (sizes[1]?.size.records ?? 0).toLocaleString('en')
      lines.push(
        atLeast(GROWTH, {
          promise: 'S5',
          work: `${script === 'one' ? 'ban check' : 'next 20 events'} with ${records} records`,
          reeve: perSecond(many),
          compared: `${perSecond(few)} with 10,000`,
          ratio: many / few,
        }),
      )
    }
  } finally {
    for (const server of servers) await server.stop()
    rmSync(join(scratch, 'large'), { recursive: true, force: true })
  }
  return lines
}
