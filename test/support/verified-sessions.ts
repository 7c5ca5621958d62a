import { hashToken } from '@reeve/auth'
import { type Database, statement } from '@reeve/db'
import type { Clock } from './clock.ts'

const updateVerifiedAt = statement<{ hash: string; at: number }>()((sql, p) =>
  sql.updateTable('session').set({ verified_at: p.at }).where('token_hash', '=', p.hash),
)

/** Less than a verification may be in the past or in the future. */
const TOLERANCE_MS = 60_000

/** Sessions that never have to be verified again, wherever the test moves the clock. */
export function createVerifiedSessions(db: Database, clock: Clock) {
  const verifiedAt = new Map<string, number>()
  return {
    /** @param token of a session that was just created */
    add: (token: string): void => {
      verifiedAt.set(token, clock.now())
    },
    /** Verifies the session of a request, if the clock was moved since. */
    async refresh(request: Request): Promise<void> {
      const token = /reeve_session=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''
      const last = verifiedAt.get(token)
      const now = clock.now()
      if (last === undefined || Math.abs(now - last) < TOLERANCE_MS) return
      verifiedAt.set(token, now)
      await db.write((tx) => tx.run(updateVerifiedAt, { hash: hashToken(token), at: now }))
    },
  }
}
