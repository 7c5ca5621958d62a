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
  /** What to begin with; null while nothing is to be done. */
  readonly action: RecordAction | null
  readonly onClose: () => void
}

/** Acts on a player. Closed without having done anything, it keeps what was typed for the next time on this page. */
export function ActionDialog({ userId, player, action, onClose }: Props) {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const formState = useActionForm(userId, player, onClose)
  const { start } = formState
  // Anew at each opening, and at no other time.
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
      title={`Act on ${formatPlayerName({ userId, userUsername: player?.userUsername ?? null })}`}
      size="lg"
      fullScreen={isSmall}
      closeOnClickOutside={false}
    >
      <ActionForm userId={userId} player={player} formState={formState} onCancel={onClose} />
    </Dialog>
  )
}
