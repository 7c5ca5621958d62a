import { DAY_SECONDS, HOUR_SECONDS } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { withLostResponseWarning } from '../api-keys/lost-response-warning.ts'
import { RotationDialog } from '../rotation-dialog.tsx'
import type { ShownSecret } from './secret-dialog.tsx'
import { rotateSecret, type Webhook, webhooksKey } from './webhook-data.ts'

interface Props {
  /** The webhook whose secret is rotated; null while the dialog is closed. */
  readonly webhook: Webhook | null
  readonly close: () => void
  readonly onRotated: (shown: ShownSecret) => void
}

/** In seconds. */
const periods = [
  [String(DAY_SECONDS), '1 day'],
  [String(HOUR_SECONDS), '1 hour'],
  [String(7 * DAY_SECONDS), '7 days'],
  ['0', 'None: end it now'],
] as const

const LOST_RESPONSE_WARNING =
  'The secret may have been rotated anyway. Rotate it again. If that is refused, choose None, and give your program the new secret at once.'

/** Creates a new secret, and sets for how long the previous one signs as well. */
export function RotateSecret({ webhook, close, onRotated }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  async function rotate(graceSeconds: string): Promise<void> {
    if (webhook === null) return
    const { secret, webhook: rotated } = await withLostResponseWarning(
      rotateSecret(workspaceId, webhook, graceSeconds),
      LOST_RESPONSE_WARNING,
    ).finally(() => client.invalidateQueries({ queryKey: webhooksKey(workspaceId) }))
    if (secret !== null) onRotated({ name: rotated.name, secret, previousUntil: rotated.previousSecretUntil })
  }
  return (
    <RotationDialog
      opened={webhook !== null}
      title={webhook ? `Rotate the secret of “${webhook.name}”` : ''}
      text="This creates a new secret. Until the current one ends, each request carries a signature of both."
      submitLabel="Rotate secret"
      label="The current secret signs for another"
      periods={periods}
      atOnce="Your program rejects requests until it has the new secret. Use this if the secret has leaked."
      describeGrace={(until) => `Give your program the new secret by ${until}.`}
      rotate={rotate}
      close={close}
    />
  )
}
