import { CLAIM_LEASE_MS } from '@reeve/core'
import { useEffect } from 'react'
import { notifyError } from './toast.tsx'

/** Well within a lease, so that one failed renewal does not end the claim. */
const RENEWAL_MS = CLAIM_LEASE_MS / 3

/**
 * Renews the user's own claim while the page is open and visible.
 * @param renew claims it again; it has to be the same function while it is about the same claim
 */
export function useClaimRenewal(isMine: boolean, renew: () => Promise<void>): void {
  useEffect(() => {
    if (!isMine) return
    const timer = setInterval(() => {
      if (!document.hidden) renew().catch(notifyError)
    }, RENEWAL_MS)
    return () => clearInterval(timer)
  }, [isMine, renew])
}
