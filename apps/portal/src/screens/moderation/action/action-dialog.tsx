import { useMediaQuery } from '@mantine/hooks'
import type { RecordAction } from '@reeve/core'
import { useEffect, useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { formatPlayerName } from '../action-labels.ts'
import type { PlayerSummary } from '../queries.ts'
import { ActionForm } from './action-form.tsx'
import { useActionForm } from './use-action-form.ts'

interface Props {
  readonly userId: string
  readonly player: PlayerSummary | null
  /** The action to start with; null while the dialog is closed. */
  readonly action: RecordAction | null
  readonly onClose: () => void
}

/** The dialog for acting on a player. Closing it keeps its input until the page is left. */
export function ActionDialog({ userId, player, action, onClose }: Props) {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const formState = useActionForm(userId, player, onClose)
  const { start } = formState
  // Start only when the dialog opens or its action changes.
  const [startedAction, setStartedAction] = useState<RecordAction | null>(null)
  useEffect(() => {
    if (action === startedAction) return
    setStartedAction(action)
    if (action !== null) start(action)
  }, [action, startedAction, start])
  return (
    <Dialog
      opened={action !== null}
      onClose={onClose}
      title={`Moderate ${formatPlayerName({ userId, userUsername: player?.userUsername ?? null })}`}
      size="lg"
      fullScreen={isSmall}
      closeOnClickOutside={false}
    >
      <ActionForm userId={userId} player={player} formState={formState} onCancel={onClose} />
    </Dialog>
  )
}
