import type { ExpectedVersions } from '@reeve/core'
import type { MeteredCall } from '@reeve/metering'

/** What the gate found out about one call, beside who makes it. */
export interface Call {
  readonly requestId: string
  readonly address: string
  /** Method and path without the prefix, so that both prefixes are the same route. */
  readonly route: string
  readonly endpoint: string
  /** The workspace named in the request; empty where none is. */
  readonly workspaceId: string
  readonly actorId: string
  /** What the headers say of a write; read once the caller is admitted. */
  idempotencyKey: string | null
  ifMatch: ExpectedVersions
  /** Query and body as sent: what tells a repeat from another request. */
  readonly sent: string
  /** How this call is counted; null where it reached no workspace. */
  readonly metered: MeteredCall | null
  /** Whether the count is written already, in the transaction of its effect. */
  counted: boolean
  /** Whether something was changed. */
  wrote: boolean
}

/** The call of a route that no gate stands before. */
export const noCall: Call = {
  requestId: '',
  address: '',
  route: '',
  endpoint: '',
  workspaceId: '',
  actorId: '',
  idempotencyKey: null,
  ifMatch: null,
  sent: '',
  metered: null,
  counted: true,
  wrote: false,
}
