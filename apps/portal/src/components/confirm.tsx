import { Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type FormEvent, type ReactNode, useState } from 'react'
import { sentenceOf } from '../api/error.ts'
import { DialogForm } from '../forms/dialog-form.tsx'

export interface Question {
  /** What will be done, and to whom: `Revoke the key “Game server”?` */
  readonly title: string
  /** What follows from it, in a sentence or two. */
  readonly children: ReactNode
  /** The word on the button: the very thing that is done, such as `Revoke the key`. */
  readonly action: string
  /** Not to be taken back: red. */
  readonly isDestructive?: boolean
  /** A text that has to be typed first, for what destroys much. */
  readonly typed?: string
  /** Does it. What it throws is shown in the dialog, which stays. */
  readonly run: () => Promise<void>
}

/** Asks before something is done. */
export function confirm({ title, ...question }: Question): void {
  const id = modals.open({
    title,
    children: <Asked {...question} close={() => modals.close(id)} />,
  })
}

interface AskedProps extends Omit<Question, 'title'> {
  readonly close: () => void
}

function Asked({ children, action, isDestructive = false, typed, run, close }: AskedProps) {
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const isTyped = typed === undefined || text.trim() === typed
  const go = async (event: FormEvent) => {
    event.preventDefault()
    if (!isTyped || isBusy) return
    setIsBusy(true)
    setAlert('')
    try {
      await run()
      close()
    } catch (error) {
      setAlert(sentenceOf(error))
      setIsBusy(false)
    }
  }
  return (
    <DialogForm
      submit={{ onSubmit: (event) => void go(event), isBusy, alert }}
      cancel={close}
      action={action}
      color={isDestructive ? 'red' : 'green'}
      isDisabled={!isTyped}
      isCancelFocused={typed === undefined}
    >
      <Text component="div" size="sm">
        {children}
      </Text>
      {typed === undefined ? null : (
        <TextInput
          label={
            <>
              Type <bdi>{typed}</bdi> to go on
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
