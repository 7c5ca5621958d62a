import type { WebhookEvent } from '@reeve/core'

/** An event to send, before it is known to whom. */
export interface DueEvent {
  readonly type: WebhookEvent
  readonly sequence: number
  readonly at: number
  readonly resource: { readonly kind: string; readonly id: string }
  readonly actor: object | null
  /** A record event that is sent as a ban event as well. */
  readonly isAboutBan: boolean
  /** The fields that the resource had, for one that no longer exists. */
  readonly before: object | null
}
