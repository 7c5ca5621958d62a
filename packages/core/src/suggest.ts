import { closest, distance } from 'fastest-levenshtein'

/** The candidate closest to a misspelled name; null if none is close. */
export function suggest(name: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0 || name.length > 64) return null
  const closestName = closest(
    name.toLowerCase(),
    candidates.map((candidate) => candidate.toLowerCase()),
  )
  const match = candidates.find((candidate) => candidate.toLowerCase() === closestName)
  const maxDistance = Math.max(1, Math.floor(name.length / 3))
  return match !== undefined && distance(name.toLowerCase(), closestName) <= maxDistance ? match : null
}
