import { AppError } from '@reeve/core'
import { deleteAccount } from '@reeve/instance'
import { removeMember } from '@reeve/members'
import { cliActor, instanceCommand, switchOption } from '../command-line/command.ts'
import { creationOptions, endCreations, formatCreations } from './user-creations.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const deleteUserCommand = instanceCommand({
  options: {
    username: usernameOption,
    ...creationOptions,
    yes: switchOption('confirm: a deleted account cannot be restored'),
  },
  async run({ db, ports }, { username, yes, ...choice }) {
    return db.write(async (tx) => {
      const { id, username: name } = await requireAccountByUsername(tx, username)
      if (!yes) throw confirmationRequired(name)
      const { pauseWebhooks, result } = await endCreations(tx, ports, id, choice)
      const { account, workspaces } = await deleteAccount(
        tx,
        ports,
        cliActor(ports),
        id,
        {},
        {
          removeFromWorkspace: (workspaceId) =>
            removeMember(tx, ports, cliActor(ports, workspaceId), { accountId: id }, pauseWebhooks),
          pauseWebhooks,
        },
      )
      return {
        userId: account.id,
        username: account.username,
        workspaces: workspaces.map(({ id, groupName }) => ({ id, groupName })),
        ...result,
      }
    })
  },
  print: ({ username, workspaces, ...result }) =>
    [
      `Deleted ${username}. Records and audit entries of the account stay, under its name.`,
      ...(workspaces.length === 0
        ? []
        : [`It was removed from: ${workspaces.map(({ groupName }) => groupName).join(', ')}.`]),
      ...formatCreations(result),
    ].join('\n'),
})

const confirmationRequired = (name: string) =>
  new AppError('invalid_request', {
    message:
      `Deleting ${name} cannot be undone. Repeat the command with --yes, or run \`reeve user disable\` to only ` +
      'prevent the account from signing in.',
  })
