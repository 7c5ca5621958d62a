import { assertPasswordPolicy, hashPassword, setPassword } from '@reeve/auth'
import { cliActor, instanceCommand } from './command.ts'
import { passwordOption, requireAccountByUsername, usernameOption } from './user-options.ts'

export const resetPasswordCommand = instanceCommand({
  options: { username: usernameOption, password: passwordOption },
  async run({ db, ports }, input) {
    assertPasswordPolicy(input.password)
    const account = await requireAccountByUsername(db.read, input.username)
    const passwordHash = await hashPassword(input.password)
    await db.write((tx) => setPassword(tx, ports, cliActor(ports), { accountId: account.id, passwordHash }))
    return { userId: account.id }
  },
  print: () => 'Changed the password and ended all sessions of the account.',
})
