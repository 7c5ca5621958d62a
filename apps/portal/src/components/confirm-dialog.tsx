import { Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type FormEvent, type ReactNode, useState } from 'react'
import { getErrorMessage } from '../api/error.ts'
import { DialogForm } from '../forms/dialog-form.tsx'

export interface ConfirmOptions {
  /** What will be done, and to whom: `Revoke the key “Game server”?` */
  readonly title: string
  /** What follows from it, in a sentence or two. */
  readonly children: ReactNode
  /** The word on the button: the very thing that is done, such as `Revoke the key`. */
  readonly confirmLabel: string
  /** Not to be taken back: red. */
  readonly isDestructive?: boolean
  /** A text that has to be typed first, for what destroys much. */
  readonly confirmText?: string
  /** Does it. What it throws is shown in the dialog, which stays. */
  readonly run: () => Promise<void>
}

/** Asks before something is done. */
export function openConfirmDialog({ title, ...options }: ConfirmOptions): void {
  const id = modals.open({
    title,
    children: <ConfirmForm {...options} close={() => modals.close(id)} />,
  })
}

interface ConfirmFormProps extends Omit<ConfirmOptions, 'title'> {
  readonly close: () => void
}

function ConfirmForm({
  children,
  confirmLabel,
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
      cancel={close}
      submitLabel={confirmLabel}
      color={isDestructive ? 'red' : 'green'}
      isDisabled={!isConfirmTextEntered}
      isCancelFocused={confirmText === undefined}
    >
      <Text component="div" size="sm">
        {children}
      </Text>
      {confirmText === undefined ? null : (
        <TextInput
          label={
            <>
              Type <bdi>{confirmText}</bdi> to go on
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
