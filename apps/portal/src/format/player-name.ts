/** Isolates a name in a sentence, so that right-to-left text does not reorder it. */
export const bidiIsolate = (name: string): string => `\u2068${name}\u2069`

/** `261 (StormRider)` */
export const formatPlayerName = (player: {
  readonly userId: string
  readonly userUsername: string | null
}): string =>
  player.userUsername === null ? player.userId : `${player.userId} (${bidiIsolate(player.userUsername)})`
