import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@reeve/core'
import { plainTextProps } from './text-fields.tsx'

/** A password field that also announces its error to screen readers. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput
    {...plainTextProps}
    {...(props.error ? { 'aria-invalid': true } : {})}
    visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
    {...props}
  />
)

/** The password rules, as a helper text. */
export const passwordRequirements = `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, and not a common one`

/** A field for a new password, which shows the password rules. */
export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField description={passwordRequirements} name="password" autoComplete="new-password" {...props} />
)
