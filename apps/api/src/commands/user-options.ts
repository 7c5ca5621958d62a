import { username } from '@reeve/auth'
import { required, secret } from './command.ts'

export const usernameOption = required('<name>', 'the username to sign in with', username)

export const passwordOption = secret('read the password from standard input')
