import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { useDialogTexts } from '../../../components/dialog-texts.ts'
import { DiscardDialog, useUnsavedChanges } from '../../../components/unsaved-changes.tsx'
import { formatPlayerName } from '../../../format/player-name.ts'
import type { PlayerSummary } from '../queries.ts'
import { ActionForm } from './action-form.tsx'
import { type ActionRequest, useActionForm } from './use-action-form.ts'

interface Props {
  readonly userId: string
  readonly player: PlayerSummary | null
  /** What to start with; null while the dialog is closed. */
  readonly request: ActionRequest | null
  readonly onClose: () => void
}

/** The dialog for acting on a player. Closing it keeps its input until the page is left, which asks first. */
export function ActionDialog({ userId, player, request, onClose }: Props) {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const formState = useActionForm(userId, player, onClose)
  const { start, hasInput, readTexts, submit } = formState
  const unsavedChanges = useUnsavedChanges(onClose, {
    isOff: !hasInput(),
    isPart: true,
    isSaving: submit.isBusy,
  })
  unsavedChanges.setDirtyCheck(hasInput)
  useDialogTexts(readTexts)
  // Start only when the dialog opens or its request changes.
  const [started, setStarted] = useState<ActionRequest | null>(null)
  useEffect(() => {
    if (request === started) return
    setStarted(request)
    if (request !== null) start(request)
  }, [request, started, start])
  return (
    <>
      <Dialog
        opened={request !== null}
        onClose={onClose}
        title={`Moderate ${formatPlayerName({ userId, userUsername: player?.userUsername ?? null })}`}
        size="lg"
        fullScreen={isSmall}
        closeOnClickOutside={false}
        keepsInput
      >
        <ActionForm userId={userId} player={player} formState={formState} />
      </Dialog>
      <DiscardDialog unsavedChanges={unsavedChanges} />
    </>
  )
}
