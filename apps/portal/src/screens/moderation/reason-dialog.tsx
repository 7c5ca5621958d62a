import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/plain-text.ts'
import { useSubmit } from '../../forms/use-submit.ts'

interface ReasonDialogOptions {
  /** What will be done, and to whom. */
  readonly title: string
  /** What follows from it. */
  readonly children: ReactNode
  readonly submitLabel: string
  readonly isDestructive?: boolean
  /** What may stay empty says so. */
  readonly isOptional?: boolean
  /** A text that has to be typed first, for what cannot be taken back. */
  readonly confirmText?: string
  readonly run: (reason: string) => Promise<void>
}

const labels = { reason: 'Reason', confirmText: 'What to type' }

/** Asks why, before something is done. What is refused stays open with what was typed. */
export function openReasonDialog({ title, ...options }: ReasonDialogOptions): void {
  const id = modals.open({
    title,
    closeOnClickOutside: false,
    children: <ReasonForm {...options} close={() => modals.close(id)} />,
  })
}

function ReasonForm(props: Omit<ReasonDialogOptions, 'title'> & { readonly close: () => void }) {
  const { children, submitLabel, isDestructive = false, isOptional = false, confirmText, run, close } = props
  const form = useForm({ mode: 'controlled', initialValues: { reason: '', confirmText: '' } })
  const submit = useSubmit(form, labels, async ({ reason }) => {
    await run(reason)
    close()
  })
  const isConfirmTextEntered = confirmText === undefined || form.values.confirmText.trim() === confirmText
  return (
    <DialogForm
      submit={submit}
      cancel={close}
      submitLabel={submitLabel}
      color={isDestructive ? 'red' : 'green'}
      isDisabled={!isConfirmTextEntered}
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
      {confirmText === undefined ? null : (
        <TextInput
          {...plainTextProps}
          label={`Type ${confirmText} to go on`}
          autoComplete="off"
          {...form.getInputProps('typed')}
        />
      )}
    </DialogForm>
  )
}
