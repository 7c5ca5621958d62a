import type { ExpectedVersions } from '@reeve/core'
import type { MeteredRequest } from '@reeve/metering'

/** What the gate found out about one call, beside who makes it. */
export interface RequestContext {
  readonly requestId: string
  readonly ip: string
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
  readonly payload: string
  /** How this call is counted; null where it reached no workspace. */
  readonly meteredRequest: MeteredRequest | null
  /** Whether the count is written already, in the transaction of its effect. */
  isCounted: boolean
  /** Whether something was changed. */
  hasWritten: boolean
}

/** The call of a route that no gate stands before. */
export const emptyRequestContext: RequestContext = {
  requestId: '',
  ip: '',
  route: '',
  endpoint: '',
  workspaceId: '',
  actorId: '',
  idempotencyKey: null,
  ifMatch: null,
  payload: '',
  meteredRequest: null,
  isCounted: true,
  hasWritten: false,
}
