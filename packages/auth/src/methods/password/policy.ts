import { invalidRequest, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, wire } from '@reeve/core'
import { isCommonPassword } from './common-passwords.ts'

/** Fewer different characters than this are refused: `aaaaaaaaaa`, `abababababab`. */
const MIN_DISTINCT_CHARACTERS = 3

/** @returns why a password is refused, as text that follows the field name; null if it is accepted */
function findPasswordProblem(password: string): string | null {
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) {
    return `must be ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters`
  }
  if (!password.isWellFormed()) return 'must be well-formed Unicode'
  if (isCommonPassword(password) || new Set(password).size < MIN_DISTINCT_CHARACTERS) {
    return 'is too easy to guess; choose another'
  }
  return null
}

/** @throws AppError `invalid_request` naming `password` if a password is too short, too long or too common */
export function assertPasswordPolicy(password: string): void {
  const message = findPasswordProblem(password)
  if (message !== null) throw invalidRequest({ field: 'password', message })
}

/** A password to set, white space included. */
export const newPassword: wire.Codec<string> = {
  read(text) {
    const problem = findPasswordProblem(text)
    if (problem !== null) throw new wire.WireError(problem)
    return text
  },
  write: () => '',
  description: `Password, ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters; common passwords are refused`,
  example: 'four words that I chose',
}

/** UTF-16 code units: longer than any accepted password. */
const MAX_INPUT_LENGTH = 4 * PASSWORD_MAX_LENGTH

/** A password to verify: any text, because it may be older than the current policy. */
export const existingPassword: wire.Codec<string> = {
  read(text) {
    if (text.length < 1 || text.length > MAX_INPUT_LENGTH)
      throw new wire.WireError(`must be 1 to ${MAX_INPUT_LENGTH} characters`)
    return text
  },
  write: () => '',
  description: 'Password',
  example: 'four words that I chose',
}
