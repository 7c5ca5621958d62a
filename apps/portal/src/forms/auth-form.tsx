import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormAlert } from './form-alert.tsx'
import type { FormSubmission } from './use-submit.ts'

interface Props {
  readonly submit: FormSubmission
  /** The text on the button. */
  readonly submitLabel: string
  /** Margin above the form. */
  readonly mt?: 'md' | 'lg'
  readonly children: ReactNode
}

/** A form on a signed-out page: fields, submit button and error message. */
export const AuthForm = ({ submit, submitLabel, mt = 'lg', children }: Props) => (
  <form onSubmit={submit.onSubmit} noValidate>
    <Stack gap="md" mt={mt}>
      {children}
      <Button type="submit" size="md" fullWidth loading={submit.isBusy} mt="xs">
        {submitLabel}
      </Button>
      <FormAlert>{submit.alert}</FormAlert>
    </Stack>
  </form>
)
