import { createHmac } from 'node:crypto'

/** Of a code, in milliseconds. Source: RFC 6238, which all authenticator apps follow by default. */
export const TOTP_STEP_MS = 30_000
const TOTP_DIGITS = 6
/** Steps before and after the current one whose codes are accepted, for clocks that differ. */
const WINDOW = 1
/** Of a shared secret, in bytes: the length of the hash. Source: RFC 4226, 4. */
export const TOTP_SECRET_BYTES = 20

/** The time step of a time. @param now epoch milliseconds */
export const toTotpStep = (now: number): number => Math.floor(now / TOTP_STEP_MS)

/** The code of a time step: HOTP with SHA-1 (RFC 4226, 5.3). @param digits another number only for the test vectors */
export function computeTotp(secret: Uint8Array, step: number, digits = TOTP_DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = hash.readUInt8(hash.length - 1) & 0x0f
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Whether the codes of a step are not accepted yet. @param now epoch milliseconds */
export const isTotpStepAhead = (step: number, now: number): boolean => step > toTotpStep(now) + WINDOW

/**
 * The time step that a code belongs to.
 * @param afterStep codes of this step and of earlier ones are not accepted
 * @returns null if it belongs to none that is accepted now
 */
export function findTotpStep(
  secret: Uint8Array,
  code: string,
  { now, afterStep }: { readonly now: number; readonly afterStep: number },
): number | null {
  const current = toTotpStep(now)
  for (let step = Math.max(current - WINDOW, afterStep + 1); step <= current + WINDOW; step += 1)
    if (computeTotp(secret, step) === code) return step
  return null
}

/** RFC 4648, the form in which authenticator apps read a secret. */
const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes a secret for authenticator apps, without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32_ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The URI that the QR code contains: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function buildTotpUri(input: {
  readonly issuer: string
  readonly username: string
  readonly secret: string
}): string {
  const issuer = encodeURIComponent(input.issuer)
  const label = `${issuer}:${encodeURIComponent(input.username)}`
  return `otpauth://totp/${label}?secret=${input.secret}&issuer=${issuer}`
}
