/** Isolates a name in a sentence, so that right-to-left text does not reorder it. */
export const bidiIsolate = (name: string): string => `\u2068${name}\u2069`

/** `StormRider (261)`: always with the ID, because players copy names. */
export const formatPlayerName = (player: {
  readonly userId: string
  readonly userUsername: string | null
}): string =>
  player.userUsername === null ? player.userId : `${bidiIsolate(player.userUsername)} (${player.userId})`
