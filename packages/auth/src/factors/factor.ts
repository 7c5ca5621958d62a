/** What proves who somebody is. The factors of a session are stored in the order in which they were verified. */
export const factors = ['password', 'passkey', 'totp', 'recovery_code', 'identity'] as const
export type Factor = (typeof factors)[number]

export const isFactor = (text: string): text is Factor => (factors as readonly string[]).includes(text)

/** The purpose of the one-time token that stands for the first factor until the second one is verified. */
export const SECOND_FACTOR_PURPOSE = 'second_factor'

/** Factors that can follow a first one. */
export const secondFactors = ['passkey', 'totp', 'recovery_code'] as const satisfies readonly Factor[]
export type SecondFactor = (typeof secondFactors)[number]

export const isSecondFactor = (factor: Factor): factor is SecondFactor =>
  (secondFactors as readonly Factor[]).includes(factor)

/** Whether these factors are enough for an account that has a second factor: a second one after another, or a passkey, which verifies its user. */
export const areMultipleFactors = (verified: readonly Factor[]): boolean =>
  verified.includes('passkey') || (new Set(verified).size > 1 && verified.some(isSecondFactor))
