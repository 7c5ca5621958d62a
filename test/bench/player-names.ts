const SYLLABLES =
  'ka ro mi ne sha dow dra gon nin ja bob al ex star wolf fire ice max leo zed sky ru by jo sam tim er on in us dark knight'.split(
    ' ',
  )

export const pickSyllable = (random: () => number): string =>
  SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? ''

/** Creates a name such as `Shadow_wolf4711`. A tenth of the names have the same first word. */
export function createPlayerName(random: () => number): string {
  const pick = () => pickSyllable(random)
  return `${random() < 0.1 ? 'Builder' : pick() + pick()}${random() < 0.5 ? '_' : ''}${pick()}${Math.floor(random() * 10_000)}`
}
