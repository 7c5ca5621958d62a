import { resetSecondFactors } from '@reeve/auth'
import { cliActor, instanceCommand } from '../command-line/command.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const resetMfaCommand = instanceCommand({
  options: { username: usernameOption },
  run: ({ db, ports }, { username }) =>
    db.write(async (tx) => {
      const account = await requireAccountByUsername(tx, username)
      await resetSecondFactors(tx, ports, cliActor(ports), account)
      return { userId: account.id, username: account.username, hasPassword: account.password_hash !== null }
    }),
  print: ({ username, hasPassword }) =>
    `Removed the second factors of ${username} and ended all sessions of the account. ${
      hasPassword
        ? 'Its password alone is enough to sign in until it adds another.'
        : 'It has no password: if it does not sign in with another service, `reeve user link` creates a link with which its owner sets one.'
    }`,
})
