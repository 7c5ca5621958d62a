import { assertPasswordPolicy, findAccountByUsername, hashPassword, setPassword } from '@reeve/auth'
import { AppError } from '@reeve/core'
import { cliActor, instanceCommand } from './command.ts'
import { passwordOption, usernameOption } from './user-options.ts'

export const resetPasswordCommand = instanceCommand({
  options: { username: usernameOption, password: passwordOption },
  async run({ db, ports }, input) {
    assertPasswordPolicy(input.password)
    const account = await findAccountByUsername(db.read, input.username)
    if (!account) {
      throw new AppError('not_found', {
        message: `There is no account named ${input.username}. Run \`reeve user list\` to list the accounts.`,
      })
    }
    const passwordHash = await hashPassword(input.password)
    await db.write((tx) => setPassword(tx, ports, cliActor(ports), { accountId: account.id, passwordHash }))
    return { userId: account.id }
  },
  print: () => 'Changed the password and ended all sessions of the account.',
})
