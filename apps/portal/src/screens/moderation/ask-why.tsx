import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainText } from '../../forms/plain-text.ts'
import { useSubmit } from '../../forms/use-submit.ts'

interface Question {
  /** What will be done, and to whom. */
  readonly title: string
  /** What follows from it. */
  readonly children: ReactNode
  readonly action: string
  readonly isDestructive?: boolean
  /** What may stay empty says so. */
  readonly isOptional?: boolean
  /** A text that has to be typed first, for what cannot be taken back. */
  readonly typed?: string
  readonly run: (reason: string) => Promise<void>
}

const labels = { reason: 'Reason', typed: 'What to type' }

/** Asks why, before something is done. What is refused stays open with what was typed. */
export function askWhy({ title, ...question }: Question): void {
  const id = modals.open({
    title,
    closeOnClickOutside: false,
    children: <Asked {...question} close={() => modals.close(id)} />,
  })
}

function Asked(props: Omit<Question, 'title'> & { readonly close: () => void }) {
  const { children, action, isDestructive = false, isOptional = false, typed, run, close } = props
  const form = useForm({ mode: 'controlled', initialValues: { reason: '', typed: '' } })
  const submit = useSubmit(form, labels, async ({ reason }) => {
    await run(reason)
    close()
  })
  const isTyped = typed === undefined || form.values.typed.trim() === typed
  return (
    <DialogForm
      submit={submit}
      cancel={close}
      action={action}
      color={isDestructive ? 'red' : 'green'}
      isDisabled={!isTyped}
    >
      <Text component="div" size="sm">
        {children}
      </Text>
      <Textarea
        label={isOptional ? 'Reason (if you like)' : 'Reason'}
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {typed === undefined ? null : (
        <TextInput
          {...plainText}
          label={`Type ${typed} to go on`}
          autoComplete="off"
          {...form.getInputProps('typed')}
        />
      )}
    </DialogForm>
  )
}
