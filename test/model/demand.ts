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
export const large: Network = {
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

const DAY = 86_400
const HOUR = 3600
/** A roster is asked for in calls of so many players. */
const ROSTER = 100

/** Players at the same time in the busiest hour: those who come, for as long as they stay. */
export const playing = ({ playersADay, joinsOfPlayer, minutesOfJoin, busiestHour }: Network): number =>
  (playersADay * joinsOfPlayer * busiestHour * minutesOfJoin) / 60

/** Calls of a roster that a server makes at once. */
const rosterCalls = (network: Network): number =>
  Math.max(1, Math.ceil(playing(network) / network.servers / ROSTER))

const whileServersRun = (network: Network): Pick<Load, 'roster' | 'events'> => ({
  roster: (network.servers * rosterCalls(network)) / network.rosterEverySeconds,
  events: network.servers / network.eventsEverySeconds,
})

const recordsADay = ({ playersADay, recordsOfThousand }: Network): number =>
  (playersADay / 1000) * recordsOfThousand

/** Records of a year. */
export const recordsAYear = (network: Network): number => recordsADay(network) * 365

/** The mean of a day. */
export const usual = (network: Network): Load => ({
  check: (network.playersADay * network.joinsOfPlayer) / DAY,
  ...whileServersRun(network),
  write: recordsADay(network) / DAY,
})

/** The busiest hour. */
export const busy = (network: Network): Load => ({
  check: (network.playersADay * network.joinsOfPlayer * network.busiestHour) / HOUR,
  ...whileServersRun(network),
  write: (recordsADay(network) * network.busiestHour) / HOUR,
})

/** Everybody who was playing in the busiest hour comes back at once. */
export const returning = (network: Network): Load => ({
  ...busy(network),
  check: playing(network) / network.returnSeconds,
})
