import { wire } from '@reeve/core'
import { inputField, requestObject, responseObject, stringField } from '@reeve/http'
import { username } from '../../accounts/username.ts'
import { existingPassword, newPassword } from './policy.ts'

/** The username of an existing account: any text, because an account may be older than the current rules. */
const existingUsername = wire.text({ min: 1, max: 200, example: username.example })

export const SignInRequest = requestObject({
  username: inputField(existingUsername, 'Case-insensitive'),
  password: inputField(existingPassword),
})

const token = inputField(
  wire.text({ min: 1, max: 100, example: 'R2h5c3RlcnM' }),
  'The token of the link: the part of its URL after #',
)

export const PasswordLinkRequest = requestObject({ token })
export const PasswordLinkResponse = responseObject(
  { username: stringField('Username of the account whose password the link sets', 'robin') },
  'The account of the link',
)
export const SetPasswordRequest = requestObject({
  token,
  password: inputField(newPassword, 'The new password'),
})

export const PasswordResetRequest = requestObject({
  login: inputField(
    wire.text({ min: 1, max: 254, example: 'robin@example.com' }),
    'A username or an e-mail address',
  ),
})
export const PasswordResetResponse = responseObject(
  { accepted: stringField('Always `true`, whether or not there is such an account', 'true') },
  'If an account has this name or address, and an e-mail address, it is sent a link',
)

export const ChangePasswordRequest = requestObject({
  currentPassword: inputField(existingPassword, 'The current password'),
  newPassword: inputField(newPassword, 'The new password'),
})
