/** Daily activity of a game network. */
export interface Network {
  readonly servers: number
  readonly playersADay: number
  /** Joins per player and day. Each is one ban check. */
  readonly joinsOfPlayer: number
  /** Length of a session in minutes. */
  readonly minutesOfJoin: number
  /** Share of a day's joins in its busiest hour. */
  readonly busiestHour: number
  /** Seconds between checks of all players on a server, so that a ban reaches players in the game. */
  readonly rosterEverySeconds: number
  /** Seconds between a server's requests for the next events. */
  readonly eventsEverySeconds: number
  /** Records per day for a thousand players, created by staff and bots. */
  readonly recordsOfThousand: number
  /** Seconds within which all players reconnect after an outage of the platform. */
  readonly returnSeconds: number
}

/** Ten thousand servers and ten million players a day. The other numbers are high estimates; pass your own. */
export const largeNetwork: Network = {
  servers: 10_000,
  playersADay: 10_000_000,
  joinsOfPlayer: 3,
  minutesOfJoin: 30,
  busiestHour: 0.08,
  rosterEverySeconds: 60,
  eventsEverySeconds: 300,
  recordsOfThousand: 5,
  returnSeconds: 300,
}

/** Requests per second. */
export interface Load {
  readonly check: number
  readonly roster: number
  readonly events: number
  readonly write: number
}

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600
/** Players per roster request. */
const ROSTER_SIZE = 100

/** Concurrent players in the busiest hour: arrivals times the length of a session. */
export const concurrentPlayers = ({
  playersADay,
  joinsOfPlayer,
  minutesOfJoin,
  busiestHour,
}: Network): number => (playersADay * joinsOfPlayer * busiestHour * minutesOfJoin) / 60

/** Roster requests of one server per check. */
const rosterRequestsPerServer = (network: Network): number =>
  Math.max(1, Math.ceil(concurrentPlayers(network) / network.servers / ROSTER_SIZE))

const serverLoad = (network: Network): Pick<Load, 'roster' | 'events'> => ({
  roster: (network.servers * rosterRequestsPerServer(network)) / network.rosterEverySeconds,
  events: network.servers / network.eventsEverySeconds,
})

const recordsPerDay = ({ playersADay, recordsOfThousand }: Network): number =>
  (playersADay / 1000) * recordsOfThousand

/** Records per year. */
export const recordsPerYear = (network: Network): number => recordsPerDay(network) * 365

/** The daily average. */
export const averageLoad = (network: Network): Load => ({
  check: (network.playersADay * network.joinsOfPlayer) / DAY_SECONDS,
  ...serverLoad(network),
  write: recordsPerDay(network) / DAY_SECONDS,
})

/** The busiest hour. */
export const peakLoad = (network: Network): Load => ({
  check: (network.playersADay * network.joinsOfPlayer * network.busiestHour) / HOUR_SECONDS,
  ...serverLoad(network),
  write: (recordsPerDay(network) * network.busiestHour) / HOUR_SECONDS,
})

/** All players of the busiest hour reconnect at once. */
export const reconnectLoad = (network: Network): Load => ({
  ...peakLoad(network),
  check: concurrentPlayers(network) / network.returnSeconds,
})
