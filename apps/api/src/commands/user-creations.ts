import { listAllCreatorKeys, MAX_CREATIONS } from '@reeve/auth'
import type { Ports } from '@reeve/core'
import type { Transaction, WebhookTable } from '@reeve/db'
import { endAccountCreations } from '@reeve/instance'
import { createCreatorWebhooks } from '@reeve/webhooks'
import { cliActor, switchOption } from '../command-line/command.ts'
import { pluralize } from '../format.ts'

/** What becomes of the API keys and webhooks of an account that can no longer sign in. */
export const creationOptions = {
  revokeKeys: switchOption('also revoke the API keys that the account created, in all workspaces'),
  pauseWebhooks: switchOption(
    'also pause the webhooks that the account or its API keys created, in all workspaces',
  ),
}

/** No limit: the lists of the command line are complete. */
const ALL = Number.MAX_SAFE_INTEGER

/** An API key or a webhook that an account leaves behind. */
interface Reference {
  readonly id: string
  readonly name: string
  readonly workspaceId: string
}

const toReference = (row: Pick<WebhookTable, 'id' | 'name' | 'workspace_id'>): Reference => ({
  id: row.id,
  name: row.name,
  workspaceId: row.workspace_id,
})

/** Ends the API keys and webhooks of an account by the options, all of them or none, and lists them. */
export async function endCreations(
  tx: Transaction,
  ports: Ports,
  id: string,
  options: { readonly revokeKeys: boolean; readonly pauseWebhooks: boolean },
) {
  const { list, pause } = createCreatorWebhooks(ports)
  const keys = (await listAllCreatorKeys(tx, ports, id, ALL)).map(toReference)
  const webhooks = (await list(tx, { workspaceId: null, creatorId: id }, ALL)).map(toReference)
  const revokedKeys = options.revokeKeys ? keys.map((key) => key.id) : []
  const pausedWebhooks = options.pauseWebhooks ? webhooks.map((webhook) => webhook.id) : []
  const end = (ids: { readonly revokeKeyIds?: string[]; readonly pauseWebhookIds?: string[] }) =>
    endAccountCreations(tx, ports, cliActor(ports), pause, id, ids)
  // One change ends so many at most, and only of the newest ones, which are the first of the rest each time.
  for (let at = 0; at < revokedKeys.length; at += MAX_CREATIONS)
    await end({ revokeKeyIds: revokedKeys.slice(at, at + MAX_CREATIONS) })
  for (let at = 0; at < pausedWebhooks.length; at += MAX_CREATIONS)
    await end({ pauseWebhookIds: pausedWebhooks.slice(at, at + MAX_CREATIONS) })
  return {
    pauseWebhooks: pause,
    result: {
      revokedKeys,
      keptKeys: options.revokeKeys ? [] : keys,
      pausedWebhooks,
      activeWebhooks: options.pauseWebhooks ? [] : webhooks,
    },
  }
}

/** Lines on what became of the API keys and webhooks of an account; none if it had none. */
export const formatCreations = (result: Awaited<ReturnType<typeof endCreations>>['result']): string[] => [
  ...formatKeys(result),
  ...formatWebhooks(result),
]

type CreationsResult = Parameters<typeof formatCreations>[0]

function formatKeys({ revokedKeys, keptKeys }: CreationsResult): string[] {
  if (revokedKeys.length > 0) return [`Revoked ${pluralize(revokedKeys.length, 'API key')} of the account.`]
  if (keptKeys.length === 0) return []
  return [
    `${pluralize(keptKeys.length, 'API key')} of the account can still be used. Revoke each that is not needed:`,
    ...keptKeys.map(
      ({ id, name, workspaceId }) => `  reeve key revoke --workspace ${workspaceId} --id ${id}   # ${name}`,
    ),
  ]
}

function formatWebhooks({ pausedWebhooks, activeWebhooks }: CreationsResult): string[] {
  if (pausedWebhooks.length > 0)
    return [`Paused ${pluralize(pausedWebhooks.length, 'webhook')} of the account.`]
  if (activeWebhooks.length === 0) return []
  return [
    `Events are still sent to ${pluralize(activeWebhooks.length, 'webhook')} of the account. Pause each that is not needed in the portal, under Configuration → Webhooks:`,
    ...activeWebhooks.map(({ id, name, workspaceId }) => `  ${name} (${id} of workspace ${workspaceId})`),
  ]
}
