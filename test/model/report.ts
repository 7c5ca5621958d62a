import type { Costs } from './costs.ts'
import { busy, type Load, type Network, playing, recordsAYear, returning, usual } from './demand.ts'
import { databaseProcessorsFor, limitsOf, processesFor, processors } from './need.ts'

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const rate = (value: number): string => `${value < 10 ? value.toFixed(1) : whole(value)}/s`
const times = (value: number): string => `${value < 10 ? Number(value.toPrecision(2)) : whole(value)} ×`
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')

/** What a network asks, what it needs on either engine, and what gives way first: as Markdown. */
export function report(network: Network, costs: Costs): string {
  const loads: readonly (readonly [string, Load])[] = [
    ['mean of a day', usual(network)],
    ['busiest hour', busy(network)],
    ['everybody comes back', returning(network)],
  ]
  const { sqlite, postgres } = costs
  const asked = loads.map(([name, load]) => [
    name,
    rate(load.check),
    rate(load.roster),
    rate(load.events),
    rate(load.write),
  ])
  const needed = loads.map(([name, load]) => [
    name,
    processors(load, sqlite.calls).reeve.toFixed(2),
    processors(load, postgres.calls).reeve.toFixed(2),
    String(processesFor(load, postgres.calls)),
    processors(load, postgres.calls).database.toFixed(2),
    String(databaseProcessorsFor(load, postgres.calls)),
  ])
  const year = recordsAYear(network)
  const limits = limitsOf(returning(network), sqlite, postgres).map(({ what, at, wayOut }) => [
    times(at),
    what,
    wayOut,
  ])
  return [
    `${whole(network.servers)} servers, ${whole(network.playersADay)} players a day, ${network.joinsOfPlayer} joins each ` +
      `of ${network.minutesOfJoin} minutes; ${whole(network.busiestHour * 100)} % of them in the busiest hour: ` +
      `${whole(playing(network))} play at once. Each server checks all its players every ${network.rosterEverySeconds} s ` +
      `and asks for events every ${network.eventsEverySeconds} s; ${network.recordsOfThousand} records a day for a ` +
      `thousand players. After a failure all come back within ${network.returnSeconds} s.`,
    table(['calls', 'ban checks', 'rosters', 'events', 'records'], asked),
    table(
      [
        'processors',
        'SQLite, all',
        'PostgreSQL: of Reeve',
        'processes',
        'of the server',
        'processors to give it',
      ],
      needed,
    ),
    `A year brings ${whole(year)} records: ${gigabytes(year * sqlite.bytesOfRecord)} on SQLite, ` +
      `${gigabytes(year * postgres.bytesOfRecord)} on PostgreSQL, with their log.`,
    'What gives way first, as a multiple of the load when everybody comes back:',
    table(['at', 'what', 'way out'], limits),
  ].join('\n\n')
}
