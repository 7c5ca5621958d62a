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
    ['daily average', averageLoad(network)],
    ['busiest hour', peakLoad(network)],
    ['all reconnect', reconnectLoad(network)],
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
    `${formatInteger(network.servers)} servers, ${formatInteger(network.playersADay)} players a day, ${network.joinsOfPlayer} sessions each ` +
      `of ${network.minutesOfJoin} minutes, ${formatInteger(network.busiestHour * 100)} % of them in the busiest hour: ` +
      `${formatInteger(concurrentPlayers(network))} concurrent players. Each server checks all its players every ${network.rosterEverySeconds} s ` +
      `and reads events every ${network.eventsEverySeconds} s. Staff create ${network.recordsOfThousand} records a day per ` +
      `thousand players. After an outage all players reconnect within ${network.returnSeconds} s.`,
    formatTable(['requests', 'ban checks', 'rosters', 'events', 'records'], loadRows),
    formatTable(
      [
        'cores used',
        'SQLite: total',
        'PostgreSQL: Reeve',
        'Reeve processes',
        'PostgreSQL: server',
        'cores to provide',
      ],
      processorRows,
    ),
    `A year adds ${formatInteger(year)} records: ${formatGigabytes(year * sqlite.bytesOfRecord)} on SQLite, ` +
      `${formatGigabytes(year * postgres.bytesOfRecord)} on PostgreSQL, including their audit log.`,
    'The limits in the order in which they are reached, as a multiple of the load when all players reconnect:',
    formatTable(['load', 'limit', 'remedy'], limitRows),
  ].join('\n\n')
}
