import { type Actor, wire } from '@reeve/core'
import type { Queries, Transaction, WebhookTable } from '@reeve/db'
import { inputField, nullableString, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { MAX_CREATIONS, moreCreations } from './creations.ts'

/** What becomes of the webhooks of a person who leaves a workspace, loses roles, or can no longer sign in. */

/** An active webhook with the name of its workspace. */
export interface CreatorWebhookRow
  extends Pick<WebhookTable, 'id' | 'workspace_id' | 'name' | 'kind' | 'url' | 'last_success_at'> {
  readonly group_name: string
}

/** An active webhook that a member, or an API key of theirs, created. */
export interface RoleWebhookRow extends CreatorWebhookRow {
  readonly creator_id: string
  readonly creator_username: string
}

/** Whose webhooks: those that an account, or an API key of the account, created in a workspace; in any if it is null. */
export interface CreatorWebhooksKey {
  readonly workspaceId: string | null
  readonly creatorId: string
}

/** Whose webhooks: those that members of some roles, or their API keys, created, without members of a higher rank. */
export interface RoleWebhooksKey {
  readonly workspaceId: string
  readonly roleIds: readonly string[]
  readonly maxRank: number
}

/** What is done with the webhooks of people whose access ends or is reduced. `apps/api` connects it to the package of webhooks. */
export interface CreatorWebhooks {
  /** The active webhooks of somebody, newest first; at most `limit`, by default `MAX_CREATIONS`. */
  readonly list: (
    db: Queries,
    key: CreatorWebhooksKey,
    limit?: number,
  ) => Promise<readonly CreatorWebhookRow[]>
  /** How many an account has in all workspaces. */
  readonly count: (db: Queries, creatorId: string) => Promise<number>
  /** Those of the members of some roles, likewise. */
  readonly listOfRoles: (db: Queries, key: RoleWebhooksKey) => Promise<readonly RoleWebhookRow[]>
  /**
   * Pauses some of the webhooks that are listed for the same key.
   * @param key `ids`: those to pause
   * @throws AppError `invalid_request` for an id that is not among them
   */
  readonly pause: (
    tx: Transaction,
    actor: Actor,
    key: (CreatorWebhooksKey | RoleWebhooksKey) & { readonly ids: readonly string[] },
  ) => Promise<void>
}

/** The field of a request that ends or reduces somebody's access. */
export const pauseWebhookIds = inputField(
  wire.ids(MAX_CREATIONS),
  'Active webhooks that the account or its API keys created, to pause with it; none by default',
)

/** The fields of `presentCreatorWebhook`. */
export const creatorWebhookFields = {
  id: stringField('ID of the webhook'),
  workspaceId: stringField('Its workspace'),
  groupName: stringField('Name of the workspace', 'Night shift'),
  name: stringField('What it is for', 'Ban log'),
  kind: stringField('`standard` for signed requests, `discord` for messages in a channel', 'standard'),
  host: stringField('Host name of the URL to which it sends', 'example.com'),
  lastSuccessAt: nullableString('When it last received an event'),
}

const CreatorWebhook = responseObject(creatorWebhookFields, 'An active webhook')
export const CreatorWebhooksResponse = responseObject(
  { webhooks: Type.Array(CreatorWebhook), more: moreCreations },
  `The active webhooks that an account or its API keys created, newest first; at most ${MAX_CREATIONS}`,
)

/** Of the URL only the host, as in the audit log: its path is often a secret, and the reader may not manage webhooks. */
export const presentCreatorWebhook = (row: CreatorWebhookRow): Static<typeof CreatorWebhook> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  groupName: row.group_name,
  name: row.name,
  kind: row.kind,
  host: new URL(row.url).host,
  lastSuccessAt: wire.writeNullableTime(row.last_success_at),
})

/** @param more how many are not listed */
export const presentCreatorWebhooks = (
  rows: readonly CreatorWebhookRow[],
  more = 0,
): Static<typeof CreatorWebhooksResponse> => ({
  webhooks: rows.map(presentCreatorWebhook),
  more: String(more),
})

/** The response with the active webhooks of an account in any workspace. */
export async function readAllCreatorWebhooks(
  db: Queries,
  { list, count }: CreatorWebhooks,
  creatorId: string,
): Promise<Static<typeof CreatorWebhooksResponse>> {
  const webhooks = await list(db, { workspaceId: null, creatorId })
  if (webhooks.length < MAX_CREATIONS) return presentCreatorWebhooks(webhooks)
  return presentCreatorWebhooks(webhooks, (await count(db, creatorId)) - webhooks.length)
}
