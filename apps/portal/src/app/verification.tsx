import { usePendingVerification } from '../api/verification.ts'
import { loadOnOpen } from '../components/load-on-open.tsx'

const loadDialog = () => import('../screens/sign-in/verification-dialog.tsx')

const Dialog = loadOnOpen(
  async () => (await loadDialog()).VerificationDialog,
  ({ pending }) => pending !== null,
  ({ pending }) => pending?.cancel(),
)

/** Asks the user to confirm who they are before a sensitive action. */
export const Verification = () => <Dialog pending={usePendingVerification()} />
