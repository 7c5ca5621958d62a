import { type Actor, anonymousActor, type ExpectedVersions, type StorageUse } from '@reeve/core'
import type { MeteredRequest } from '@reeve/metering'
import type { RawFields } from './body.ts'
import type { FieldValues } from './read-fields.ts'

/** What the gate knows of a request, apart from the actor. */
export interface RequestContext {
  readonly requestId: string
  /** Method and path without the prefix, so that the current and the legacy prefix share a route. */
  readonly route: string
  readonly endpoint: string
  /** The workspace of the request; empty if it names none. */
  readonly workspaceId: string
  readonly actorId: string
  /** From the headers of a write, once it is authorized. */
  idempotencyKey: string | null
  ifMatch: ExpectedVersions
  /** How the write is treated once the storage of the workspace is used up. */
  storageUse: StorageUse
  /** The fields of query and body before their formats are parsed: a retry has the same, in any order. */
  readonly payload: { readonly query: FieldValues; readonly body: RawFields }
  /** The size of the body as it was received, in bytes. */
  readonly bodySize: number
  /** How the request is counted; null if it is about no workspace. */
  readonly meteredRequest: MeteredRequest | null
  /** Whether it was counted in the transaction of its effect. */
  isCounted: boolean
  /** Whether the request has changed anything. */
  hasWritten: boolean
  /** How long the request has waited for something to happen, in milliseconds: that is no time that it took. */
  waitedMs: number
  /**
   * Checks again that the caller may make this request, after it has waited.
   * @returns the actor as it is now: the permissions and the workspace may have changed
   * @throws AppError as the first check did
   */
  assertStillAuthorized: () => Promise<Actor>
}

/** The context of a request to a public route. */
export const emptyRequestContext: RequestContext = {
  requestId: '',
  route: '',
  endpoint: '',
  workspaceId: '',
  actorId: '',
  idempotencyKey: null,
  ifMatch: null,
  storageUse: 'exempt',
  payload: { query: {}, body: {} },
  bodySize: 0,
  meteredRequest: null,
  isCounted: true,
  hasWritten: false,
  waitedMs: 0,
  assertStillAuthorized: async () => anonymousActor,
}
