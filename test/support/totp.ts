import { computeTotp, toTotpStep } from '@reeve/auth'
import type { Instance } from './instance.ts'

const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function decodeBase32(text: string): Uint8Array {
  const bits = [...text]
    .map((letter) => BASE32_ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** The code that an authenticator app shows. @param secret in Base32 @param now epoch milliseconds */
export const readAuthenticator = (secret: string, now: number): string =>
  computeTotp(decodeBase32(secret), toTotpStep(now))

export const TOTP_STEP_MS = 30_000

/** Adds an authenticator app to the account of a session. The clock moves on, so that the next code is a new one. */
export async function enrolAuthenticator(instance: Instance, session: string) {
  const { request, clock } = instance
  const started = await request('POST', '/portal/api/factors/totp', { session, body: {} })
  const { token, secret, uri } = started.body
  const showCode = () => readAuthenticator(secret, clock.now())
  const confirmed = await request('POST', '/portal/api/factors/totp/confirm', {
    session,
    body: { token, code: showCode() },
  })
  if (confirmed.status !== 200) throw new Error(`the code was rejected: ${started.text} ${confirmed.text}`)
  clock.advance(TOTP_STEP_MS)
  return { secret, uri, showCode, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}
