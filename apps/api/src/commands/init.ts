import {
  assertPasswordPolicy,
  createAccount,
  createApiKey,
  hasAccounts,
  hashPassword,
  username,
} from '@reeve/auth'
import { type Actor, AppError, OWNER_RANK, permissions } from '@reeve/core'
import { createWorkspace } from '@reeve/workspaces'
import { cliActor, instanceCommand, nameCodec, required, secret } from './command.ts'

const alreadySetUpError = () =>
  new AppError('conflict', {
    message:
      'This instance has been set up already. `reeve user create` makes further accounts, `reeve key create` further keys.',
  })

/** The first account, as operator and owner of a first workspace, and a key with every permission. */
export const initCommand = instanceCommand({
  createsInstance: true,
  options: {
    username: required('<name>', 'the name to sign in with', username),
    password: secret('read the password from standard input'),
    groupName: required('<name>', 'the name of the first workspace', nameCodec),
    keyName: required('<name>', 'what the API key is for', nameCodec),
  },
  async run({ db, ports }, input) {
    if (await hasAccounts(db.read)) throw alreadySetUpError()
    assertPasswordPolicy(input.password)
    const passwordHash = await hashPassword(input.password)
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
      'The instance is set up.',
      `  account     ${userId}`,
      `  workspace   ${workspaceId}`,
      `  owner role  ${roleId}`,
      `  API key     ${apiKey}`,
      'The key is shown this once: keep it now.',
    ].join('\n'),
})
