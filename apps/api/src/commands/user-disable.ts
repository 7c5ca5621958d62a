import { changeAccount } from '@reeve/instance'
import { cliActor, instanceCommand } from './command.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

/** Declares the command that disables accounts, or the one that enables them. */
const statusCommand = (disabled: boolean, print: (name: string) => string) =>
  instanceCommand({
    options: { username: usernameOption },
    run: ({ db, ports }, { username }) =>
      db.write(async (tx) => {
        const { id } = await requireAccountByUsername(tx, username)
        return changeAccount(tx, ports, cliActor(ports), { id, disabled })
      }),
    print: ({ account }) => print(account.username),
  })

export const disableUserCommand = statusCommand(
  true,
  (name) =>
    `Disabled ${name} and ended all sessions of the account. API keys that it created still work: see \`reeve key list\`.`,
)

export const enableUserCommand = statusCommand(
  false,
  (name) => `Enabled ${name}. The account can sign in again.`,
)
