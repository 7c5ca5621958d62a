import { wire } from '@reeve/core'
import { inputField, requestObject } from '@reeve/http'
import { username } from '../../accounts/account.ts'
import { existingPassword, newPassword } from './policy.ts'

/** The username of an existing account: any text, because an account may be older than the current rules. */
const existingUsername = wire.text({ min: 1, max: 200, example: username.example })

export const SignInRequest = requestObject({
  username: inputField(existingUsername, 'Case-insensitive'),
  password: inputField(existingPassword),
})

export const ChangePasswordRequest = requestObject({
  currentPassword: inputField(existingPassword, 'The current password'),
  newPassword: inputField(newPassword, 'The new password'),
})
