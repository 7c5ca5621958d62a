import { assertPasswordPolicy, createAccount, createApiKey, hasAccounts, hashNewPassword } from '@reeve/auth'
import { type Actor, AppError, OWNER_RANK, permissions } from '@reeve/core'
import { createWorkspace } from '@reeve/workspaces'
import { cliActor, instanceCommand, nameCodec, required } from '../command-line/command.ts'
import { passwordOption, usernameOption } from './user-options.ts'

const alreadySetUpError = () =>
  new AppError('conflict', {
    message:
      'This instance is already set up. Use `reeve user create` to add accounts and `reeve key create` to add API keys.',
  })

/** Creates the first account, operator and owner of the first workspace, and an API key with every permission. */
export const initCommand = instanceCommand({
  createsInstance: true,
  options: {
    username: usernameOption,
    password: passwordOption,
    groupName: required('<name>', 'the name of the first workspace', nameCodec),
    keyName: required('<name>', 'what the API key is for', nameCodec),
  },
  async run({ db, ports }, input) {
    if (await hasAccounts(db.read)) throw alreadySetUpError()
    assertPasswordPolicy(input.password)
    const passwordHash = await hashNewPassword(db, input)
    return db.write(async (tx) => {
      if (await hasAccounts(tx)) throw alreadySetUpError()
      const actor = cliActor(ports)
      const account = await createAccount(tx, ports, actor, {
        username: input.username,
        passwordHash,
        isOperator: true,
      })
      const owner: Actor = { ...actor, kind: 'account', id: account.id, name: account.username }
      const { workspace, ownerRoleId } = await createWorkspace(tx, ports, owner, {
        groupName: input.groupName,
        ownerId: account.id,
      })
      const { secret: apiKey } = await createApiKey(
        tx,
        ports,
        { ...owner, workspaceId: workspace.id, rank: OWNER_RANK },
        { name: input.keyName, permissions, expiresAt: null, allowedAddresses: null },
      )
      return { userId: account.id, workspaceId: workspace.id, roleId: ownerRoleId, apiKey }
    })
  },
  print: ({ userId, workspaceId, roleId, apiKey }) =>
    [
      'Set up the instance.',
      `  account     ${userId}`,
      `  workspace   ${workspaceId}`,
      `  owner role  ${roleId}`,
      `  API key     ${apiKey}`,
      'Store the API key now: it is not shown again.',
    ].join('\n'),
})
