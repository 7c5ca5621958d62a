import { assertPasswordPolicy, createAccount, hashNewPassword } from '@reeve/auth'
import { cliActor, instanceCommand, switchOption } from '../command-line/command.ts'
import { passwordOption, usernameOption } from './user-options.ts'

export const createUserCommand = instanceCommand({
  options: {
    username: usernameOption,
    password: passwordOption,
    operator: switchOption('make the account an operator of the whole instance'),
  },
  async run({ db, ports }, input) {
    assertPasswordPolicy(input.password)
    const passwordHash = await hashNewPassword(db, input)
    const account = await db.write((tx) =>
      createAccount(tx, ports, cliActor(ports), {
        username: input.username,
        passwordHash,
        isOperator: input.operator,
      }),
    )
    return { userId: account.id }
  },
  print: ({ userId }) => `Created account ${userId}.`,
})
