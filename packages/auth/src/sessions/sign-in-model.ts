import { responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Account, presentAccount } from '../accounts/model.ts'
import { secondFactors } from '../factors/factor.ts'
import type { SignInOutcome, VerifiedAccount } from './establish.ts'

const PendingSecondFactor = responseObject(
  {
    token: stringField('Send it with the second factor, within ten minutes'),
    factors: Type.Array(Type.String({ enum: [...secondFactors] }), {
      description: 'The second factors that the account has, preferred ones first',
    }),
  },
  'The second factor that the sign-in still needs',
)

/** The response of every request that signs in. */
export const SignInResponse = responseObject(
  {
    account: Type.Union([Account, Type.Null()], {
      description: 'The account that is signed in now; null while a second factor is needed',
    }),
    secondFactor: Type.Union([PendingSecondFactor, Type.Null()]),
  },
  'The account, or what the sign-in still needs',
)

/** The account that a step verified, in the form of `SignInResponse`. */
export const presentSignIn = ({
  result: { account },
  pending,
}: SignInOutcome<VerifiedAccount>): Static<typeof SignInResponse> =>
  pending === null
    ? {
        account: presentAccount({ ...account, isOperator: account.is_operator === 1 }),
        secondFactor: null,
      }
    : { account: null, secondFactor: { token: pending.token, factors: [...pending.factors] } }
