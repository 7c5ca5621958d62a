import { Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { getErrorMessage } from '../api/error.ts'
import { DialogForm } from '../forms/dialog-form.tsx'
import { openModal } from './modals.tsx'

export interface ConfirmOptions {
  /** The action and its target: `Revoke the key “Game server”?` */
  readonly title: string
  /** The consequences, in a sentence or two. */
  readonly children: ReactNode
  /** The button, labeled with the action: `Revoke key`. */
  readonly confirmLabel: string
  /** The other button, if `Cancel` could mean the action: `Keep running`. */
  readonly cancelLabel?: string
  /** Cannot be undone: a red button. */
  readonly isDestructive?: boolean
  /** A text to type before confirming, for very destructive actions. */
  readonly confirmText?: string
  /** Runs the action. An error is shown in the dialog, which stays open. */
  readonly run: () => Promise<void>
}

/** Opens a confirmation dialog. */
export function openConfirmDialog({ title, ...options }: ConfirmOptions): void {
  openModal({ title, render: (close) => <ConfirmForm {...options} close={close} /> })
}

interface ConfirmFormProps extends Omit<ConfirmOptions, 'title'> {
  readonly close: () => void
}

function ConfirmForm({
  children,
  confirmLabel,
  cancelLabel,
  isDestructive = false,
  confirmText,
  run,
  close,
}: ConfirmFormProps) {
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const isConfirmTextEntered = confirmText === undefined || text.trim() === confirmText
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmTextEntered || isBusy) return
    setIsBusy(true)
    setAlert('')
    try {
      await run()
      close()
    } catch (error) {
      setAlert(getErrorMessage(error))
      setIsBusy(false)
    }
  }
  return (
    <DialogForm
      submit={{ onSubmit: (event) => void handleSubmit(event), isBusy, alert }}
      submitLabel={confirmLabel}
      color={isDestructive ? 'red' : 'green'}
      isDisabled={!isConfirmTextEntered}
      isCancelFocused={confirmText === undefined}
      cancelLabel={cancelLabel}
    >
      <Text component="div" size="sm">
        {children}
      </Text>
      {confirmText === undefined ? null : (
        <TextInput
          label={
            <>
              Type <bdi>{confirmText}</bdi> to confirm
            </>
          }
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
    </DialogForm>
  )
}
