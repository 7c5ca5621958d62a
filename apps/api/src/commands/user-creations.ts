import { listAllCreatorKeys } from '@reeve/auth'
import type { Ports } from '@reeve/core'
import type { Transaction, WebhookTable } from '@reeve/db'
import { createCreatorWebhooks } from '@reeve/webhooks'
import { pluralize } from '../format.ts'
import { switchOption } from './command.ts'

/** What becomes of the API keys and webhooks of an account that can no longer sign in. */
export const creationOptions = {
  revokeKeys: switchOption('also revoke the API keys that the account created, in all workspaces'),
  pauseWebhooks: switchOption(
    'also pause the webhooks that the account or its API keys created, in all workspaces',
  ),
}

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

/** Decides by the options which API keys and webhooks of an account end: all of them or none. */
export async function chooseCreations(
  tx: Transaction,
  ports: Ports,
  id: string,
  options: { readonly revokeKeys: boolean; readonly pauseWebhooks: boolean },
) {
  const keys = (await listAllCreatorKeys(tx, ports, id)).map(toReference)
  const creatorWebhooks = createCreatorWebhooks(ports)
  const webhooks = (await creatorWebhooks.list(tx, { workspaceId: null, creatorId: id })).map(toReference)
  const revokedKeys = options.revokeKeys ? keys.map((key) => key.id) : []
  const pausedWebhooks = options.pauseWebhooks ? webhooks.map((webhook) => webhook.id) : []
  return {
    /** The fields of the change of the account. */
    input: { revokeKeyIds: revokedKeys, pauseWebhookIds: pausedWebhooks },
    pauseWebhooks: creatorWebhooks.pause,
    result: {
      revokedKeys,
      keptKeys: options.revokeKeys ? [] : keys,
      pausedWebhooks,
      activeWebhooks: options.pauseWebhooks ? [] : webhooks,
    },
  }
}

/** Lines on what became of the API keys and webhooks of an account; none if it had none. */
export const formatCreations = (result: Awaited<ReturnType<typeof chooseCreations>>['result']): string[] => [
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
