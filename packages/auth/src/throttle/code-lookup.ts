import { AppError, type Ports } from '@reeve/core'
import { type Database, insertAll, type Queries, type SignInAttemptTable, statement } from '@reeve/db'
import { toIpNetwork } from '../ip-address.ts'
import { hashToken } from '../token.ts'
import { assertUnderCodeLimits, assertUnderFileLimits, type CountedAttempt } from './limits.ts'

const insertAttempt = statement<SignInAttemptTable>()((sql, p) => insertAll(sql, 'sign_in_attempt', p))

/** Who enters a code: anybody at an IP address, or a game of a workspace. */
export type CodeCaller = { readonly ip: string } | { readonly workspaceId: string }

/** What limits count by. @param subject contains a line break, so that it is no username */
function toAttempt(subject: string, ip: string | null): CountedAttempt {
  return {
    username_key: hashToken(subject),
    address: ip === null ? '' : toIpNetwork(ip),
    network_56: ip === null ? '' : toIpNetwork(ip, 56),
    network_48: ip === null ? '' : toIpNetwork(ip, 48),
    credential: '',
  }
}

/**
 * Counts a file that a player sends with an appeal, before it is received.
 * @param ip of the player; null if a game sends it
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function countAppealFile(
  db: Database,
  ports: Ports,
  workspaceId: string,
  ip: string | null,
): Promise<void> {
  const attempt = toAttempt(`appeal file\n${workspaceId}`, ip)
  await db.write(async (tx) => {
    const now = ports.now()
    await assertUnderFileLimits(tx, attempt, ip === null ? 'game' : 'page', now)
    await tx.run(insertAttempt, { ...attempt, id: ports.newId(), has_succeeded: 1, at: now })
  })
}

/**
 * Looks up a code that somebody could guess. The limits, the lookup and the count of a miss are one transaction, so concurrent guesses
 * cannot exceed the limits. Beyond them, a correct code is rejected too.
 * @returns what `find` found
 * @throws AppError `not_found` for a miss, `rate_limited` with `Retry-After`
 */
export async function findByCode<Found extends object>(
  db: Database,
  ports: Ports,
  caller: CodeCaller,
  find: (db: Queries) => Promise<Found | undefined>,
): Promise<Found> {
  const isGame = 'workspaceId' in caller
  const counted = isGame
    ? toAttempt(`appeal code\n${caller.workspaceId}`, null)
    : toAttempt('appeal code\n', caller.ip)
  const found = await db.write(async (tx) => {
    const now = ports.now()
    await assertUnderCodeLimits(tx, counted, isGame ? 'game' : 'page', now)
    const match = await find(tx)
    if (match === undefined)
      await tx.run(insertAttempt, { ...counted, id: ports.newId(), has_succeeded: 0, at: now })
    return match ?? null
  })
  if (found === null)
    throw new AppError('not_found', { message: 'No ban has this code. Check every character.' })
  return found
}
