import { resetSecondFactors } from '@reeve/auth'
import { cliActor, instanceCommand } from './command.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const resetMfaCommand = instanceCommand({
  options: { username: usernameOption },
  run: ({ db, ports }, { username }) =>
    db.write(async (tx) => {
      const account = await requireAccountByUsername(tx, username)
      await resetSecondFactors(tx, ports, cliActor(ports), account)
      return { userId: account.id, username: account.username }
    }),
  print: ({ username }) =>
    `Removed the second factors of ${username} and ended all sessions of the account. Its password alone is enough to sign in until it adds another.`,
})
