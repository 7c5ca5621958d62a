import { closest, distance } from 'fastest-levenshtein'

/** The known name a mistyped one was probably meant to be, or null where none is close. */
export function suggest(name: string, known: readonly string[]): string | null {
  if (known.length === 0 || name.length > 64) return null
  const meant = closest(
    name.toLowerCase(),
    known.map((one) => one.toLowerCase()),
  )
  const found = known.find((one) => one.toLowerCase() === meant)
  const allowed = Math.max(1, Math.floor(name.length / 3))
  return found !== undefined && distance(name.toLowerCase(), meant) <= allowed ? found : null
}
