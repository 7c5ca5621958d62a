import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { FormAlert } from './form-alert.tsx'
import type { FormSubmission } from './use-submit.ts'

interface Props {
  /** How it stands with the server, and what sends it. */
  readonly submit: Pick<FormSubmission, 'isBusy' | 'alert'> & {
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  }
  /** Shuts the dialog with nothing done. */
  readonly cancel: () => void
  /** The word on the button: the very thing that is done, such as `Make the key`. */
  readonly submitLabel: string
  /** Of that button, where it is chosen: red is for what destroys. */
  readonly color?: 'red' | 'green'
  /** There is nothing to send, or it may not be sent. */
  readonly isDisabled?: boolean
  /** Begins at `Cancel`, where there is nothing to fill in. */
  readonly isCancelFocused?: boolean
  /** `lg` where the fields are groups of their own. */
  readonly gap?: 'md' | 'lg'
  readonly children: ReactNode
}

/** The form in a dialog: its fields, why it was refused, and the two ways out. */
export function DialogForm({
  submit,
  cancel,
  submitLabel,
  color,
  isDisabled = false,
  isCancelFocused = false,
  gap = 'md',
  children,
}: Props) {
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap={gap}>
        {children}
        <FormAlert>{submit.alert}</FormAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={cancel} data-autofocus={isCancelFocused || undefined}>
            Cancel
          </Button>
          <Button type="submit" {...(color ? { color } : {})} loading={submit.isBusy} disabled={isDisabled}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
