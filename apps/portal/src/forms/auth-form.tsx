import { Button, Stack, TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormAlert } from './form-alert.tsx'
import { plainTextProps } from './plain-text.ts'
import type { FormSubmission } from './use-submit.ts'

interface Props {
  readonly submit: FormSubmission
  /** The words on the button. */
  readonly submitLabel: string
  /** How far it stands from what is above. */
  readonly mt?: 'md' | 'lg'
  readonly children: ReactNode
}

/** The form on a page before anyone is signed in: its fields, the one button, and why it was refused. */
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

/** The name that whoever fills in the form signs in with. */
export const UsernameField = (props: TextInputProps) => (
  <TextInput {...plainTextProps} size="md" name="username" autoComplete="username" {...props} />
)
