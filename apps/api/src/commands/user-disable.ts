import { listAllCreatorKeys } from '@reeve/auth'
import { changeAccount } from '@reeve/instance'
import { cliActor, instanceCommand } from './command.ts'
import { formatKeptKeys, revokeKeysOption, toKeyReferences } from './user-keys.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const disableUserCommand = instanceCommand({
  options: { username: usernameOption, revokeKeys: revokeKeysOption },
  run: ({ db, ports }, { username, revokeKeys }) =>
    db.write(async (tx) => {
      const { id } = await requireAccountByUsername(tx, username)
      const keys = await listAllCreatorKeys(tx, ports, id)
      const revokeKeyIds = revokeKeys ? keys.map((key) => key.id) : []
      const { account } = await changeAccount(tx, ports, cliActor(ports), {
        id,
        disabled: true,
        revokeKeyIds,
      })
      return { account, revokedKeys: revokeKeyIds, keptKeys: revokeKeys ? [] : toKeyReferences(keys) }
    }),
  print: ({ account, revokedKeys, keptKeys }) =>
    [
      `Disabled ${account.username} and ended all sessions of the account.`,
      ...formatKeptKeys({ revokedKeys, keptKeys }),
    ].join('\n'),
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
