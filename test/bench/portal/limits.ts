import type { FirstScreen } from '../../support/first-screens.ts'
import type { Weight } from './measure.ts'

/** The goals for a screen until it shows its data. Bytes are compressed with gzip. */
export const limits = {
  requests: 12,
  bytes: 260_000,
  /** Of the sign-in screen. */
  signInScriptBytes: 200_000,
  /** In milliseconds, under the conditions of the measurement. */
  largestPaint: 2500,
  layoutShift: 0.1,
} as const

export interface WeightLimits {
  readonly requests: number
  readonly bytes: number
}

/** What the test holds: the goals. Never raise it. */
export const maximums: WeightLimits = { requests: 12, bytes: 260_000 }

const formatKB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`

/** What a screen exceeds, as sentences that say what to do. */
export function listExceeded(
  { name, isAnonymous }: FirstScreen,
  weight: Weight,
  { requests, bytes }: WeightLimits = limits,
): string[] {
  const largest = weight.files
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ path, bytes }) => `${path} ${formatKB(bytes)}`)
    .join('\n    ')
  const advice = 'See "Keep the portal small" in CONTRIBUTING.md.'
  const exceeded: string[] = []
  if (weight.requests > requests)
    exceeded.push(
      `${name} sends ${weight.requests} requests instead of at most ${requests}. ${advice}\n    ${largest}`,
    )
  if (weight.bytes > bytes)
    exceeded.push(
      `${name} loads ${formatKB(weight.bytes)} instead of at most ${formatKB(bytes)}. ${advice}\n    ${largest}`,
    )
  if (isAnonymous && weight.scriptBytes > limits.signInScriptBytes)
    exceeded.push(
      `${name} loads ${formatKB(weight.scriptBytes)} of scripts instead of at most ${formatKB(limits.signInScriptBytes)}. ${advice}`,
    )
  return exceeded
}
