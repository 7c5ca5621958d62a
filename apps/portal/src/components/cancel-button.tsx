import { Button } from '@mantine/core'
import { useContext } from 'react'
import { DialogContext } from './dialog-context.ts'

interface Props {
  /** Whether a request of the form runs. */
  readonly isBusy: boolean
  /** Whether it is focused first, in a form without fields. */
  readonly isFocused?: boolean
  /** Another word, where the dialog itself is about cancelling: `Keep running`. */
  readonly label?: string | undefined
}

/** Closes the dialog around a form, which asks first if anything is unsaved. */
export const CancelButton = ({ isBusy, isFocused = false, label = 'Cancel' }: Props) => {
  const { requestClose } = useContext(DialogContext)
  return (
    <Button
      variant="default"
      onClick={requestClose}
      disabled={isBusy}
      data-autofocus={isFocused || undefined}
    >
      {label}
    </Button>
  )
}
