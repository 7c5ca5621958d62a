import type { WorkspaceCredentials } from '../../faults/support/populate.ts'
import type { Write } from '../../faults/support/workloads.ts'
import { createAuthHeaders } from '../../faults/support/write-load.ts'

export interface LoadRequest {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly as?: { readonly workspace: WorkspaceCredentials; readonly kind: Write['credentialKind'] }
}

/** Sends a request without a time limit, because a large workspace may take minutes. */
export function send(url: string, { method, path, body, as }: LoadRequest): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(as === undefined ? {} : createAuthHeaders(as.workspace, as.kind)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeout: false,
  })
}

/** @returns the body of the response @throws unless the status is 200 */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are read
export async function sendOk(url: string, request: LoadRequest): Promise<any> {
  const response = await send(url, request)
  if (response.status === 200) return response.json()
  throw new Error(`${request.path} returned ${response.status}: ${(await response.text()).slice(0, 300)}`)
}
