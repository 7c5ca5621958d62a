import { wire } from '@reeve/core'
import { inputField, requestObject, responseObject, stringField } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { existingPassword } from '../methods/password/policy.ts'
import { factors } from './factor.ts'

/** The code of an authenticator app, with the spaces that some show. */
export const totpCode: wire.Codec<string> = {
  read(text) {
    const digits = text.replace(/\s/g, '')
    if (!/^[0-9]{6}$/.test(digits)) throw new wire.WireError('must be six digits')
    return digits
  },
  write: (code) => code,
  description: 'Code of an authenticator app: six digits',
  example: '123456',
}

/** The fields with which a request presents a second factor; `SecondFactorProof` are their values. */
export const proofFields = {
  code: inputField(totpCode),
  recoveryCode: inputField(
    wire.text({ min: 1, max: 100, example: '7K3M-Q9TX-2ZBD-R4VW-8HJP-0CNE' }),
    'A recovery code',
  ),
}

/** A one-time token that an earlier response contained. */
export const tokenField = (description: string) =>
  inputField(
    wire.text({ min: 1, max: 100, example: 'kO1bqrzN3YF5VfjTQ8iG0mA7xLc2WdEhPsUoXyZtR4w' }),
    description,
  )

export const SecondFactorRequest = requestObject({
  token: tokenField('The token of the response that asks for the second factor'),
  ...proofFields,
})

export const VerificationRequest = requestObject({
  password: inputField(existingPassword, 'Only for an account without a second factor'),
  ...proofFields,
})
export const VerificationResponse = responseObject(
  { verifiedUntil: stringField('Until when no further verification is needed', wire.time.example) },
  'The session is verified',
)

export const VerifiedResponse = responseObject(
  { verified: stringField('Always `true`', 'true') },
  'The session is verified',
)

const recoveryCodes = Type.Array(Type.String({ example: '7K3M-Q9TX-2ZBD-R4VW-8HJP-0CNE' }), {
  description:
    'Recovery codes, each of which works once in place of a second factor. They are never shown again',
})
export const RecoveryCodesResponse = responseObject({ recoveryCodes }, 'New recovery codes')
export const newRecoveryCodes = Type.Union([recoveryCodes, Type.Null()], {
  description: 'New recovery codes, shown once; null if the account already has some',
})
export const FactorAddedResponse = responseObject(
  { recoveryCodes: newRecoveryCodes },
  'The second factor was added',
)

export const verificationFactorsField = Type.Array(Type.String({ enum: [...factors] }), {
  description:
    'With which factors the account confirms sensitive actions, preferred ones first; empty if it has only identity providers, or has to sign in again',
})
