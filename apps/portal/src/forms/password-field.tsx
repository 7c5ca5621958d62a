import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { plainText } from './plain-text.ts'

/** A field for a password: what is wrong with it is told to those who hear it, too. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput
    {...plainText}
    {...(props.error ? { 'aria-invalid': true } : {})}
    visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
    {...props}
  />
)
