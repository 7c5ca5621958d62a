import { pauseChangeStreams } from '../api/change-stream.ts'
import { pauseReads } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { getSessionEnd, onSessionEndChange } from '../api/session-expiry.ts'

/**
 * Stops every read, retry, poll and live stream while the session is over, which would only be rejected, and refetches what
 * is shown once it is resumed.
 */
export function pauseWithoutSession(): void {
  let resume: (() => void) | null = null
  onSessionEndChange(() => {
    if (getSessionEnd() !== null) {
      if (resume !== null) return
      void queryClient.cancelQueries()
      const resumeReads = pauseReads()
      const resumeChangeStreams = pauseChangeStreams()
      resume = () => {
        resumeReads()
        resumeChangeStreams()
      }
    } else if (resume !== null) {
      resume()
      resume = null
      void queryClient.invalidateQueries()
    }
  })
}
