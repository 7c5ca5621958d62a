import { TextInput, type TextInputProps } from '@mantine/core'

/** Turns off correction and capitalization, for ids, names and passwords. */
export const plainTextProps = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

/** The username field of a sign-in or sign-up form. */
export const UsernameField = (props: TextInputProps) => (
  <TextInput {...plainTextProps} size="md" name="username" autoComplete="username" {...props} />
)
