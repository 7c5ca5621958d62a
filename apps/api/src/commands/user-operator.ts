import { AppError } from '@reeve/core'
import { changeAccount } from '@reeve/instance'
import { cliActor, instanceCommand, switchOption } from '../command-line/command.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const operatorCommand = instanceCommand({
  options: {
    username: usernameOption,
    grant: switchOption('make the account an operator'),
    revoke: switchOption('remove operator access'),
  },
  async run({ db, ports }, { username, grant, revoke }) {
    if (grant === revoke)
      throw new AppError('invalid_request', { message: 'Set either --grant or --revoke.' })
    return db.write(async (tx) => {
      const { id } = await requireAccountByUsername(tx, username)
      return changeAccount(tx, ports, cliActor(ports), { id, isOperator: grant })
    })
  },
  print: ({ account }) =>
    account.isOperator === 'true'
      ? `${account.username} is an operator of the whole instance.`
      : `${account.username} is not an operator.`,
})
