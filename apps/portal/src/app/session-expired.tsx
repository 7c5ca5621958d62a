import { useSessionEnd } from '../api/session-expiry.ts'
import { loadOnOpen } from '../components/load-on-open.tsx'

const loadDialog = () => import('../screens/sign-in/session-expired-dialog.tsx')

/** Loads the code that asks for the password again, while there is a session. */
export const preloadSessionExpired = (): void => void loadDialog().catch(() => null)

const Dialog = loadOnOpen(
  async () => (await loadDialog()).SessionExpiredDialog,
  ({ sessionEnd }) => sessionEnd !== null,
  // Stays open, so that it is tried again: without it, nobody can sign in.
  () => undefined,
)

/** Asks for the password again after the session has ended. */
export const SessionExpired = () => <Dialog sessionEnd={useSessionEnd()} />
