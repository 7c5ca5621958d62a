import { changeAccount } from '@reeve/instance'
import { cliActor, instanceCommand } from '../command-line/command.ts'
import { creationOptions, endCreations, formatCreations } from './user-creations.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const disableUserCommand = instanceCommand({
  options: { username: usernameOption, ...creationOptions },
  run: ({ db, ports }, { username, ...choice }) =>
    db.write(async (tx) => {
      const { id } = await requireAccountByUsername(tx, username)
      const { account } = await changeAccount(tx, ports, cliActor(ports), { id, disabled: true })
      const { result } = await endCreations(tx, ports, id, choice)
      return { account, ...result }
    }),
  print: ({ account, ...result }) =>
    [`Disabled ${account.username} and ended all sessions of the account.`, ...formatCreations(result)].join(
      '\n',
    ),
})

export const enableUserCommand = instanceCommand({
  options: { username: usernameOption },
  run: ({ db, ports }, { username }) =>
    db.write(async (tx) => {
      const { id } = await requireAccountByUsername(tx, username)
      return changeAccount(tx, ports, cliActor(ports), { id, disabled: false })
    }),
  print: ({ account }) => `Enabled ${account.username}. The account can sign in again.`,
})
