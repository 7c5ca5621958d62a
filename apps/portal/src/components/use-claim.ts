import { useEffect } from 'react'
import { useMe } from '../api/me.ts'
import { useNow } from '../format/use-now.ts'
import { notifyError } from './toast.tsx'

/** Well within a lease, so that one failed renewal does not end the claim. */
const RENEWAL_MS = 5 * 60_000

interface Claim {
  readonly accountId: string
  readonly expiresAt: string
}

/**
 * Renews the user's own claim while the page is open and visible.
 * @param renew claims it again; it has to be the same function while it is about the same claim
 * @returns the claim, unless it has expired, and whether it is the user's
 */
export function useClaim<C extends Claim>(claim: C | null | undefined, renew: () => Promise<void>) {
  const { id: ownId } = useMe()
  const now = useNow()
  const current = claim && new Date(claim.expiresAt).getTime() > now ? claim : null
  const isMine = current?.accountId === ownId
  useEffect(() => {
    if (!isMine) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') renew().catch(notifyError)
    }, RENEWAL_MS)
    return () => clearInterval(timer)
  }, [isMine, renew])
  return { claim: current, isMine }
}
