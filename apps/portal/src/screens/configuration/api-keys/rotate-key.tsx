import { DAY_SECONDS, HOUR_SECONDS } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { RotationDialog } from '../rotation-dialog.tsx'
import { type ApiKey, apiKeysKey, type CreatedKey, formatKeyHint, rotateKey } from './key-data.ts'
import { withLostResponseWarning } from './lost-response-warning.ts'

interface Props {
  /** The key to rotate; null while the dialog is closed. */
  readonly apiKey: ApiKey | null
  readonly close: () => void
  readonly onCreated: (created: CreatedKey) => void
}

/** In seconds. */
const gracePeriods = [
  [String(DAY_SECONDS), '1 day'],
  [String(HOUR_SECONDS), '1 hour'],
  [String(7 * DAY_SECONDS), '7 days'],
  [String(30 * DAY_SECONDS), '30 days'],
  ['0', 'None: revoke it now'],
] as const

const LOST_RESPONSE_WARNING =
  'The key may have been rotated anyway. Close this dialog and check the list before you try again.'

/** Rotates a key: creates a replacement and sets a grace period for the old one. */
export function RotateKey({ apiKey, close, onCreated }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const hint = apiKey ? formatKeyHint(apiKey) : ''
  async function rotate(graceSeconds: string, expiresAt: string | null): Promise<void> {
    if (apiKey === null) return
    const created = await withLostResponseWarning(
      rotateKey(workspaceId, apiKey, { graceSeconds, expiresAt }),
      LOST_RESPONSE_WARNING,
    ).finally(() => client.invalidateQueries({ queryKey: apiKeysKey(workspaceId) }))
    onCreated(created)
  }
  return (
    <RotationDialog
      opened={apiKey !== null}
      title={apiKey ? `Rotate the key “${apiKey.name}” (${hint})` : ''}
      text="This creates a new key with the same name, permissions and allowed IP addresses. Replace the current key with it before the grace period ends."
      submitLabel="Rotate key"
      label="Grace period of the current key"
      periods={gracePeriods}
      expiresAt={apiKey?.expiresAt ?? null}
      atOnce={`${hint} is rejected immediately. Use this if the key has leaked.`}
      describeGrace={(until) => `${hint} works until ${until}. You can revoke it sooner.`}
      rotate={rotate}
      close={close}
    />
  )
}
