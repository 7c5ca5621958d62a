import { changeAccount, endAccountCreations } from '@reeve/instance'
import { cliActor, instanceCommand } from './command.ts'
import { chooseCreations, creationOptions, formatCreations } from './user-creations.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const disableUserCommand = instanceCommand({
  options: { username: usernameOption, ...creationOptions },
  run: ({ db, ports }, { username, ...choice }) =>
    db.write(async (tx) => {
      const { id } = await requireAccountByUsername(tx, username)
      const { input, pauseWebhooks, result } = await chooseCreations(tx, ports, id, choice)
      const actor = cliActor(ports)
      const { account } = await changeAccount(tx, ports, actor, { id, disabled: true })
      await endAccountCreations(tx, ports, actor, pauseWebhooks, id, input)
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
