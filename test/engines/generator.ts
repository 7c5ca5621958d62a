import { createChoices } from './choices.ts'
import { corruptRequest } from './corrupt-request.ts'
import type { Fixture } from './fixture.ts'
import { type Caller, createKnownState, type GeneratorContext, type WorkspaceState } from './known-state.ts'
import type { NormalizedResponse, Operation, RequestTemplate } from './operation.ts'
import { generateAppealRequest } from './requests/appeals.ts'
import { generateBatchRequest } from './requests/batches.ts'
import { generateCaseWorkRequest, generatePlayerNoteRequest } from './requests/case-work.ts'
import { generateDeletionRequest } from './requests/deletions.ts'
import { generateDepartmentRead, generateDepartmentWrite } from './requests/departments.ts'
import { generateEventRead, generateEventWrite } from './requests/events.ts'
import {
  generateHistoryRead,
  generateMemberRead,
  generateMemberWrite,
  generateRoleRead,
  generateRoleWrite,
} from './requests/members.ts'
import {
  generateModerationLookup,
  generateModerationRead,
  generateModerationWrite,
  generateSavedViewRequest,
} from './requests/moderation.ts'
import { generateRuleRequest } from './requests/rules.ts'
import {
  generateControlRequest,
  generateWorkspaceRead,
  generateWorkspaceWrite,
} from './requests/workspaces.ts'

const weightedGenerators: readonly (readonly [number, (context: GeneratorContext) => RequestTemplate])[] = [
  [14, generateModerationRead],
  [24, generateModerationWrite],
  [5, generateModerationLookup],
  [3, generateSavedViewRequest],
  [9, generateRuleRequest],
  [6, generateAppealRequest],
  [5, generateBatchRequest],
  [5, generateCaseWorkRequest],
  [4, generatePlayerNoteRequest],
  [3, generateDeletionRequest],
  [5, generateDepartmentRead],
  [10, generateDepartmentWrite],
  [6, generateEventRead],
  [10, generateEventWrite],
  [4, generateWorkspaceRead],
  [6, generateWorkspaceWrite],
  [6, generateControlRequest],
  [3, generateRoleRead],
  [6, generateRoleWrite],
  [4, generateMemberRead],
  [6, generateMemberWrite],
  [4, generateHistoryRead],
]

const MINUTE_MS = 60_000
/** Requests of one burst: more than the rate limit allows at once. */
const BURST_SIZE = 45
/** Past requests that may be sent again. */
const MAX_HISTORY = 30

interface PastRequest {
  readonly request: RequestTemplate
  readonly caller: Caller
  readonly workspace: WorkspaceState
  readonly headers: Readonly<Record<string, string>>
}

/** Creates operations from draws, each from the responses to those before it. */
export function createGenerator(fixture: Fixture) {
  const random = createChoices()
  const { chance, pick, intBelow } = random
  const state = createKnownState(random, fixture.workspaces)
  const pastRequests: PastRequest[] = []
  let number = 0
  let last: PastRequest | null = null
  let followUp: PastRequest | null = null
  let burst: { readonly caller: Caller; readonly workspace: WorkspaceState; remaining: number } | null = null

  /** Mostly a caller with full access; portal routes need a session. */
  function pickCaller(workspace: WorkspaceState, request: RequestTemplate): Caller {
    if (request.path.startsWith('/admin') && chance(0.8)) return fixture.operator
    const isPortalPath = request.path.startsWith('/portal') && chance(0.95)
    const pickFrom = (callers: readonly Caller[]) =>
      pick(isPortalPath ? callers.filter(({ session }) => session !== undefined) : callers)
    return random.pickWeighted<() => Caller>([
      [75, () => pickFrom(workspace.fullAccessCallers)],
      [18, () => pickFrom(workspace.limitedCallers)],
      [3, () => pickFrom(pick(fixture.workspaces).fullAccessCallers)],
      [1, () => fixture.operator],
      [2, () => pick(fixture.invalidCallers)],
      [1, () => ({ key: (workspace.fullAccessCallers[0]?.key ?? '').slice(0, -1) })],
    ])()
  }

  /** Request id, preconditions and idempotency key; rarely a header that is rejected. */
  function createHeaders(request: RequestTemplate): Record<string, string> {
    const { id, roleId } = (request.body ?? request.query ?? {}) as { id?: string; roleId?: string }
    const targetId = roleId ?? id
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    return {
      ...(chance(0.97) ? { 'x-request-id': `operation-${number}` } : {}),
      ...(isWrite && targetId && chance(0.25) ? { 'if-match': state.pickIfMatch(targetId) } : {}),
      ...(isWrite && chance(0.2) ? { 'idempotency-key': `key ${intBelow(chance(0.9) ? 1e6 : 9)}` } : {}),
      ...(chance(0.01) ? { 'sec-fetch-site': 'cross-site' } : {}),
      ...(chance(0.005) ? { 'content-type': 'text/plain' } : {}),
      ...(chance(0.01) ? { authorization: pick(['Basic eDp4', 'Bearer', 'Bearer a b']) } : {}),
    }
  }

  /** Sends a past request again: unchanged, with another field, or by another caller. */
  function repeatRequest(): PastRequest {
    const past = pick(pastRequests)
    const headers = { ...past.headers, 'x-request-id': `operation-${number}` }
    return random.pickWeighted<PastRequest>([
      [6, { ...past, headers }],
      [4, { ...past, headers, request: corruptRequest(random, past.request) }],
      [1, { ...past, headers, caller: pick(past.workspace.limitedCallers) }],
    ])
  }

  function createRequest(now: number): PastRequest {
    const workspace = burst?.workspace ?? pick(fixture.workspaces)
    // An archived workspace rejects nearly everything, so restore it soon.
    const generate =
      state.isArchived(workspace.id) && chance(0.3)
        ? generateWorkspaceWrite
        : random.pickWeighted(weightedGenerators)
    const generated = generate({ random, state, workspace, now })
    const request = chance(0.07) ? corruptRequest(random, generated) : generated
    return {
      request,
      workspace,
      caller: burst?.caller ?? pickCaller(workspace, request),
      headers: createHeaders(request),
    }
  }

  function pickDelay(): number {
    if (burst !== null) return 0
    return random.pickWeighted<() => number>([
      [50, () => intBelow(3) * 500],
      [40, () => intBelow(90_000)],
      [8, () => intBelow(60 * MINUTE_MS)],
      [1, () => intBelow(26 * 60 * MINUTE_MS)],
    ])()
  }

  return {
    /** @param draws decide the operation @param now epoch milliseconds of the instances */
    next(draws: readonly number[], now: number): Operation {
      random.useDraws(draws)
      number += 1
      if (burst !== null && --burst.remaining < 0) burst = null
      if (burst === null && chance(0.004)) {
        const workspace = pick(fixture.workspaces)
        burst = {
          workspace,
          caller: pick(chance(0.8) ? workspace.fullAccessCallers : workspace.limitedCallers),
          remaining: BURST_SIZE,
        }
      }
      const queued = followUp
      followUp = null
      last = queued ?? (pastRequests.length > 0 && chance(0.07) ? repeatRequest() : createRequest(now))
      const { request, caller, headers } = last
      return {
        method: request.method,
        path: request.path,
        query: request.query ?? {},
        ...('body' in request ? { body: request.body } : {}),
        ...caller,
        headers,
        advanceMs: pickDelay(),
        flushFirst: chance(0.05),
      }
    },

    /** Updates what is known from the response to the last operation. */
    handleResponse({ status, head: headerText, text }: NormalizedResponse): void {
      if (last === null) return
      const { request, workspace, headers } = last
      const isJson = text.startsWith('{')
      if (status === 200 && isJson) state.recordResponse(text, workspace.id)
      const { nextCursor } = isJson ? JSON.parse(text) : {}
      if (typeof nextCursor === 'string' && request.query && chance(0.7))
        followUp = { ...last, request: { ...request, query: { ...request.query, cursor: nextCursor } } }
      const etag = /^etag: (.*)$/m.exec(headerText)?.[1]
      if (etag !== undefined && chance(0.5))
        followUp = { ...last, headers: { ...headers, 'if-none-match': etag } }
      if (headers['idempotency-key'] === undefined) return
      pastRequests.push(last)
      if (pastRequests.length > MAX_HISTORY) pastRequests.shift()
    },
  }
}

export type Generator = ReturnType<typeof createGenerator>
