import { getCreatorStatus } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import type { WebhookRow } from './store.ts'

/** The actor, who decides that something is sent to a webhook, becomes its creator if that one is gone. */
export const takeOver = (row: WebhookRow, actor: Actor): WebhookRow =>
  getCreatorStatus(row) === 'member' ? row : { ...row, created_by: actor.id, creator_key: null }
