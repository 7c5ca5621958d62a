import { Button, Stack } from '@mantine/core'
import type { SwitchableEndpoint } from '@reeve/core'
import type { FormEvent, ReactNode } from 'react'
import { CancelButton } from '../components/cancel-button.tsx'
import { useDialogLock } from '../components/dialog-context.ts'
import { DialogFooter } from '../components/dialog-footer.tsx'
import { BlockedAlert, WriteGuard } from '../components/endpoint-state.tsx'
import { FormAlert } from './form-alert.tsx'
import type { FormSubmission } from './use-submit.ts'

interface Props {
  /** The submission state and handler. */
  readonly submit: Pick<FormSubmission, 'isBusy' | 'alert'> & {
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  }
  /** The button, labeled with the action: `Create key`. */
  readonly submitLabel: string
  /** The button's color; red for destructive actions. */
  readonly color?: 'red' | 'green'
  /** Whether the form cannot be submitted yet. */
  readonly isDisabled?: boolean
  /** Focuses `Cancel` first, in a form without fields. */
  readonly isCancelFocused?: boolean
  /** Another word than `Cancel`, where that could mean the action. */
  readonly cancelLabel?: string | undefined
  /** `lg` between groups of fields. */
  readonly gap?: 'md' | 'lg'
  /** The endpoint that the form changes something through, whose state disables it; null if only an archive does. */
  readonly writesTo?: SwitchableEndpoint | null
  readonly children: ReactNode
}

/** A form in a `Dialog`: fields, and a footer with the error message and the buttons, which is always visible. */
export function DialogForm({
  submit,
  submitLabel,
  color,
  isDisabled = false,
  isCancelFocused = false,
  cancelLabel,
  gap = 'md',
  writesTo,
  children,
}: Props) {
  useDialogLock(submit.isBusy)
  const submitButton = (
    <Button type="submit" {...(color ? { color } : {})} loading={submit.isBusy} disabled={isDisabled}>
      {submitLabel}
    </Button>
  )
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap={gap}>
        {children}
        {writesTo === undefined ? null : <BlockedAlert endpoint={writesTo} />}
        <DialogFooter note={<FormAlert>{submit.alert}</FormAlert>}>
          <CancelButton isBusy={submit.isBusy} isFocused={isCancelFocused} label={cancelLabel} />
          {writesTo === undefined ? (
            submitButton
          ) : (
            <WriteGuard endpoint={writesTo}>{submitButton}</WriteGuard>
          )}
        </DialogFooter>
      </Stack>
    </form>
  )
}
