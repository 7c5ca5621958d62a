import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@reeve/core'
import { plainTextProps } from './plain-text.ts'

/** A field for a password: what is wrong with it is told to those who hear it, too. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput
    {...plainTextProps}
    {...(props.error ? { 'aria-invalid': true } : {})}
    visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
    {...props}
  />
)

/** What a password has to be. */
export const passwordRequirements = `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, and not a common one`

/** A field for a password that is to be: it says what it has to be. */
export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField description={passwordRequirements} name="password" autoComplete="new-password" {...props} />
)
