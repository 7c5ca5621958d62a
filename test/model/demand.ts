/** What a game network does in a day. */
export interface Network {
  readonly servers: number
  readonly playersADay: number
  /** How often a player comes to a server in a day. Each time is one ban check. */
  readonly joinsOfPlayer: number
  /** How long a player stays each time, in minutes. */
  readonly minutesOfJoin: number
  /** Which part of a day's joins falls into its busiest hour. */
  readonly busiestHour: number
  /** How often a server checks everybody who is on it, so that a ban reaches who is playing; in seconds. */
  readonly rosterEverySeconds: number
  /** How often a server asks for the next events, in seconds. */
  readonly eventsEverySeconds: number
  /** Records that staff and bots make in a day, for a thousand players. */
  readonly recordsOfThousand: number
  /** After a failure of the platform everybody comes back within this time, in seconds. */
  readonly returnSeconds: number
}

/** Ten thousand servers and ten million players a day. The rest are guesses on the high side: give your own. */
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

/** Calls a second. */
export interface Load {
  readonly check: number
  readonly roster: number
  readonly events: number
  readonly write: number
}

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600
/** A roster is asked for in calls of so many players. */
const ROSTER_SIZE = 100

/** Players at the same time in the busiest hour: those who come, for as long as they stay. */
export const concurrentPlayers = ({
  playersADay,
  joinsOfPlayer,
  minutesOfJoin,
  busiestHour,
}: Network): number => (playersADay * joinsOfPlayer * busiestHour * minutesOfJoin) / 60

/** Calls of a roster that a server makes at once. */
const rosterRequestsPerServer = (network: Network): number =>
  Math.max(1, Math.ceil(concurrentPlayers(network) / network.servers / ROSTER_SIZE))

const serverLoad = (network: Network): Pick<Load, 'roster' | 'events'> => ({
  roster: (network.servers * rosterRequestsPerServer(network)) / network.rosterEverySeconds,
  events: network.servers / network.eventsEverySeconds,
})

const recordsPerDay = ({ playersADay, recordsOfThousand }: Network): number =>
  (playersADay / 1000) * recordsOfThousand

/** Records of a year. */
export const recordsPerYear = (network: Network): number => recordsPerDay(network) * 365

/** The mean of a day. */
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

/** Everybody who was playing in the busiest hour comes back at once. */
export const reconnectLoad = (network: Network): Load => ({
  ...peakLoad(network),
  check: concurrentPlayers(network) / network.returnSeconds,
})
