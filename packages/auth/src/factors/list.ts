import { type Actor, wire } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { nullableString, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Passkeys } from '../methods/passkey/model.ts'
import { listPasskeys } from '../methods/passkey/passkeys.ts'
import type { RelyingParty } from '../methods/passkey/relying-party.ts'
import { findTotp } from '../methods/totp/service.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

const Totp = responseObject(
  {
    createdAt: stringField('When it was added', wire.time.example),
    lastUsedAt: nullableString('When one of its codes was last used; null if never'),
  },
  'The authenticator app',
)
const RecoveryCodes = responseObject(
  {
    remaining: stringField('How many are unused', '10'),
    createdAt: nullableString('When the unused ones were created; null if there are none'),
  },
  'The recovery codes',
)

export const FactorsResponse = responseObject(
  {
    passkeys: Passkeys,
    totp: Type.Union([Totp, Type.Null()], { description: 'The authenticator app; null for none' }),
    recoveryCodes: RecoveryCodes,
  },
  'The passkeys and the other second factors of the account',
)

/** The passkeys and the other second factors of the actor's account. */
export async function listFactors(
  db: Queries,
  relyingParty: RelyingParty,
  actor: Actor,
): Promise<Static<typeof FactorsResponse>> {
  const totp = await findTotp(db, actor.id)
  const { remaining, createdAt } = await countRecoveryCodes(db, actor.id)
  return {
    passkeys: await listPasskeys(db, relyingParty, actor),
    totp: totp
      ? {
          createdAt: wire.time.write(totp.created_at),
          lastUsedAt: totp.last_used_at === null ? null : wire.time.write(totp.last_used_at),
        }
      : null,
    recoveryCodes: {
      remaining: String(remaining),
      createdAt: createdAt === null ? null : wire.time.write(createdAt),
    },
  }
}
