import { listAllCreatorKeys } from '@reeve/auth'
import { AppError } from '@reeve/core'
import { deleteAccount } from '@reeve/instance'
import { removeMember } from '@reeve/members'
import { cliActor, instanceCommand, switchOption } from './command.ts'
import { formatKeptKeys, revokeKeysOption, toKeyReferences } from './user-keys.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const deleteUserCommand = instanceCommand({
  options: {
    username: usernameOption,
    revokeKeys: revokeKeysOption,
    yes: switchOption('confirm: a deleted account cannot be restored'),
  },
  async run({ db, ports }, { username, revokeKeys, yes }) {
    return db.write(async (tx) => {
      const { id, username: name } = await requireAccountByUsername(tx, username)
      if (!yes) throw confirmationRequired(name)
      const keys = await listAllCreatorKeys(tx, ports, id)
      const revokedKeys = revokeKeys ? keys.map((key) => key.id) : []
      const { account, workspaces } = await deleteAccount(
        tx,
        ports,
        cliActor(ports),
        id,
        revokedKeys,
        (workspaceId) => removeMember(tx, ports, cliActor(ports, workspaceId), { accountId: id }),
      )
      return {
        userId: account.id,
        username: account.username,
        workspaces: workspaces.map(({ id, groupName }) => ({ id, groupName })),
        revokedKeys,
        keptKeys: revokeKeys ? [] : toKeyReferences(keys),
      }
    })
  },
  print: ({ username, workspaces, revokedKeys, keptKeys }) =>
    [
      `Deleted ${username}. Records and audit entries of the account stay, under its name.`,
      ...(workspaces.length === 0
        ? []
        : [`It was removed from: ${workspaces.map(({ groupName }) => groupName).join(', ')}.`]),
      ...formatKeptKeys({ revokedKeys, keptKeys }),
    ].join('\n'),
})

const confirmationRequired = (name: string) =>
  new AppError('invalid_request', {
    message:
      `Deleting ${name} cannot be undone. Repeat the command with --yes, or run \`reeve user disable\` to only ` +
      'prevent the account from signing in.',
  })
