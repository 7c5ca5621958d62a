import { getRobloxIssuer, listIdentitiesByIssuer, type OidcProvider } from '@reeve/auth'
import type { Queries } from '@reeve/db'
import type { ListedMember, PresentedMember } from './model.ts'

/** Reads the linked Roblox accounts of members. @returns a function that adds its own to each of them */
export async function readRobloxAccounts(
  db: Queries,
  providers: readonly OidcProvider[],
  accountIds: readonly string[],
): Promise<(member: PresentedMember) => Omit<ListedMember, 'hasSecondFactor'>> {
  const identities = await listIdentitiesByIssuer(db, getRobloxIssuer(providers), accountIds)
  const byAccount = new Map(identities.map((identity) => [identity.account_id, identity]))
  return (member) => {
    const identity = byAccount.get(member.accountId)
    return { ...member, robloxUserId: identity?.subject ?? null, robloxUsername: identity?.name ?? null }
  }
}
