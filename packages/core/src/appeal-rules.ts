import { BASE32_ALPHABET, normalizeBase32 } from './base32.ts'
import { expiresBefore } from './expiry.ts'

/** The rules of appeals that the server enforces and the portal shows. Pure. */

/** What staff can decide. */
export const appealDecisions = ['accepted', 'reduced', 'denied'] as const
export type AppealDecision = (typeof appealDecisions)[number]

const openAppealStates = ['submitted', 'under_review'] as const

/** `expired` and `superseded`: the ban ended, or another ban replaced it, before a decision. */
export const appealStates = [
  ...openAppealStates,
  ...appealDecisions,
  'withdrawn',
  'expired',
  'superseded',
] as const
export type AppealState = (typeof appealStates)[number]

export const isOpenAppealState = (state: AppealState): boolean =>
  (openAppealStates as readonly AppealState[]).includes(state)

/** The state of an open appeal whose ban has ended. @param ended how */
export const getUndecidedState = (ended: string | null): 'expired' | 'superseded' =>
  ended === 'superseded' ? 'superseded' : 'expired'

/** When an open appeal whose ban has ended was closed: one whose ban has expired has been closed since then. */
export const getClosingTime = (banExpiresAt: number | null, now: number): number =>
  Math.min(now, banExpiresAt ?? now)

export type AppealAuthor = 'player' | 'staff'

/** What a decision leads to. Times are epoch milliseconds. */
export interface DecisionEffect {
  readonly decision: AppealDecision
  /** When the ban ends after the decision; null is never. */
  readonly expiresAt: number | null
  /** After a denial: when the player can appeal again; null for at once, or never if it is final. */
  readonly nextAppealAt: number | null
  /** Until when the ban can be appealed; null without a limit. */
  readonly appealableUntil: number | null
  readonly isFinal: boolean
}

/**
 * Whether a ban can no longer be appealed.
 * @param from from when it can be; null for at once
 * @param until until when; null without a limit
 */
export const isAppealWindowOver = (
  { from, until }: { readonly from: number | null; readonly until: number | null },
  now: number,
): boolean => until !== null && Math.max(now, from ?? 0) >= until

/** What a decision at `now` does, as a sentence for staff and the player. */
export function describeDecision(
  { decision, expiresAt, nextAppealAt, appealableUntil, isFinal }: DecisionEffect,
  now: number,
  formatTime: (at: number) => string,
): string {
  if (decision === 'accepted') return 'The ban is lifted.'
  if (decision === 'reduced')
    return expiresAt === null
      ? 'The ban is shortened.'
      : `The ban is shortened. It ends on ${formatTime(expiresAt)}.`
  if (isFinal) return 'The ban stays. This decision is final.'
  if (nextAppealAt !== null && expiresAt !== null && !expiresBefore(nextAppealAt, expiresAt))
    return `The ban stays. It ends on ${formatTime(expiresAt)}, and cannot be appealed again before.`
  if (isAppealWindowOver({ from: nextAppealAt, until: appealableUntil }, now))
    return 'The ban stays, and cannot be appealed again.'
  return nextAppealAt === null
    ? 'The ban stays. It can be appealed again at once.'
    : `The ban stays. It can be appealed again from ${formatTime(nextAppealAt)}.`
}

/** A question of the form, and whether it must be answered. */
export interface AppealQuestion {
  readonly text: string
  readonly isRequired: boolean
}

export const MAX_APPEAL_QUESTIONS = 10
export const MAX_APPEAL_TEXT = 2000

/** 10 characters of 5 bits each. */
const CODE_LENGTH = 10
const CODE_BYTES = 7
const CODE_SPACE = 32 ** CODE_LENGTH

/** A random appeal code: a number of 50 bits. */
export function generateAppealCode(ports: { readonly randomBytes: (length: number) => Uint8Array }): number {
  let value = 0n
  for (const byte of ports.randomBytes(CODE_BYTES)) value = (value << 8n) | BigInt(byte)
  return Number(value % BigInt(CODE_SPACE))
}

/** The code as people read it: `7K3M9-Q9TX2`. */
export function formatAppealCode(code: number): string {
  let rest = code
  let text = ''
  while (text.length < CODE_LENGTH) {
    text = BASE32_ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** Ignores case, spaces and dashes, and reads O as 0, and I and L as 1. @returns null for anything that is not a code */
export function parseAppealCode(text: string): number | null {
  const characters = normalizeBase32(text)
  if (characters.length !== CODE_LENGTH) return null
  let code = 0
  for (const character of characters) {
    const digit = BASE32_ALPHABET.indexOf(character)
    if (digit < 0) return null
    code = code * 32 + digit
  }
  return code
}
