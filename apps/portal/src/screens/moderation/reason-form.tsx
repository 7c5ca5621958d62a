import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

export interface ReasonDialogOptions {
  /** The action and its target. */
  readonly title: string
  /** The label of the text, if it is no reason. */
  readonly label?: string
  /** The consequences. */
  readonly children: ReactNode
  readonly submitLabel: string
  readonly isDestructive?: boolean
  /** Whether the reason may stay empty. */
  readonly isOptional?: boolean
  /** A text to type first, before what cannot be undone. */
  readonly confirmText?: string
  readonly run: (reason: string) => Promise<void>
}

const labels = { reason: 'Reason', confirmText: 'Confirmation' }

interface Props extends Omit<ReasonDialogOptions, 'title'> {
  /** What somebody else has done meanwhile, so that nothing is left to do. The text stays, to be copied. */
  readonly settled?: string | null
  readonly close: () => void
}

/** Asks for a reason, and keeps the input if the action fails. */
export function ReasonForm(props: Props) {
  const { children, submitLabel, isDestructive = false, isOptional = false, confirmText, run, close } = props
  const { label = 'Reason', settled = null } = props
  const form = useForm({ mode: 'controlled', initialValues: { reason: '', confirmText: '' } })
  const submit = useSubmit(form, { ...labels, reason: label }, async ({ reason }) => {
    await run(reason)
    close()
  })
  const unsent = form.values.reason.trim() === '' ? '' : ' Your text was not sent: copy it if you need it.'
  const isConfirmTextEntered = confirmText === undefined || form.values.confirmText.trim() === confirmText
  return (
    <DialogForm
      submit={{ ...submit, alert: settled === null ? submit.alert : settled + unsent }}
      submitLabel={submitLabel}
      color={isDestructive ? 'red' : 'green'}
      isDisabled={!isConfirmTextEntered || settled !== null}
      writesTo="moderation"
    >
      {settled === null ? (
        <Text component="div" size="sm">
          {children}
        </Text>
      ) : null}
      <Textarea
        label={isOptional ? `${label} (optional)` : label}
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {confirmText === undefined ? null : (
        <TextInput
          {...plainTextProps}
          label={`Type ${confirmText} to confirm`}
          autoComplete="off"
          {...form.getInputProps('confirmText')}
        />
      )}
    </DialogForm>
  )
}
