import { computeDatabaseProcessors, computeProcesses, computeProcessors, listLimits } from './capacity.ts'
import type { Costs } from './costs.ts'
import {
  averageLoad,
  concurrentPlayers,
  type Load,
  type Network,
  peakLoad,
  reconnectLoad,
  recordsPerYear,
} from './demand.ts'

const formatInteger = (value: number): string => Math.round(value).toLocaleString('en')
const formatRate = (value: number): string => `${value < 10 ? value.toFixed(1) : formatInteger(value)}/s`
const formatFactor = (value: number): string =>
  `${value < 10 ? Number(value.toPrecision(2)) : formatInteger(value)} ×`
const formatGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

const formatTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${headings.join(' | ')} |`,
    `|${headings.map(() => '---|').join('')}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')

/** The load of a network, what it needs on each engine, and its limits, as Markdown. */
export function formatReport(network: Network, costs: Costs): string {
  const loads: readonly (readonly [string, Load])[] = [
    ['mean of a day', averageLoad(network)],
    ['busiest hour', peakLoad(network)],
    ['everybody comes back', reconnectLoad(network)],
  ]
  const { sqlite, postgres } = costs
  const loadRows = loads.map(([name, load]) => [
    name,
    formatRate(load.check),
    formatRate(load.roster),
    formatRate(load.events),
    formatRate(load.write),
  ])
  const processorRows = loads.map(([name, load]) => [
    name,
    computeProcessors(load, sqlite.calls).reeve.toFixed(2),
    computeProcessors(load, postgres.calls).reeve.toFixed(2),
    String(computeProcesses(load, postgres.calls)),
    computeProcessors(load, postgres.calls).database.toFixed(2),
    String(computeDatabaseProcessors(load, postgres.calls)),
  ])
  const year = recordsPerYear(network)
  const limitRows = listLimits(reconnectLoad(network), sqlite, postgres).map(
    ({ description, loadFactor, remedy }) => [formatFactor(loadFactor), description, remedy],
  )
  return [
    `${formatInteger(network.servers)} servers, ${formatInteger(network.playersADay)} players a day, ${network.joinsOfPlayer} joins each ` +
      `of ${network.minutesOfJoin} minutes; ${formatInteger(network.busiestHour * 100)} % of them in the busiest hour: ` +
      `${formatInteger(concurrentPlayers(network))} play at once. Each server checks all its players every ${network.rosterEverySeconds} s ` +
      `and asks for events every ${network.eventsEverySeconds} s; ${network.recordsOfThousand} records a day for a ` +
      `thousand players. After a failure all come back within ${network.returnSeconds} s.`,
    formatTable(['calls', 'ban checks', 'rosters', 'events', 'records'], loadRows),
    formatTable(
      [
        'processors',
        'SQLite, all',
        'PostgreSQL: of Reeve',
        'processes',
        'of the server',
        'processors to give it',
      ],
      processorRows,
    ),
    `A year brings ${formatInteger(year)} records: ${formatGigabytes(year * sqlite.bytesOfRecord)} on SQLite, ` +
      `${formatGigabytes(year * postgres.bytesOfRecord)} on PostgreSQL, with their log.`,
    'What gives way first, as a multiple of the load when everybody comes back:',
    formatTable(['at', 'what', 'way out'], limitRows),
  ].join('\n\n')
}
