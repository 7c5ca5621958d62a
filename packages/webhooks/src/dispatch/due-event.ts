import type { WebhookEvent } from '@reeve/core'

/** An event to send, before it is known to whom. */
export interface DueEvent {
  readonly type: WebhookEvent
  readonly sequence: number
  readonly at: number
  readonly resource: { readonly kind: string; readonly id: string }
  readonly actor: object | null
  /** The event of the same change for those who follow bans. */
  readonly banEvent: WebhookEvent | null
  /** The fields that the resource had, for one that no longer exists. */
  readonly before: object | null
  /** The webhooks that were sent it already. */
  readonly sentTo: ReadonlySet<string>
}

export const NO_WEBHOOK: ReadonlySet<string> = new Set()

/** Whether the expiry of a sanction was reported before a page of the log, is reported with it, or neither. */
export type ExpiryReport = 'earlier' | 'now' | null
