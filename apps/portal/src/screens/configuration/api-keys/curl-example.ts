import type { Permission } from '@reeve/core'

interface CurlExample {
  /** What the request returns, as a noun phrase. */
  readonly description: string
  readonly command: string
}

/** Read requests that verify a key, the most useful first. Without a workspace id, they use the workspace of the key. */
const examples: readonly (readonly [Permission, string, string])[] = [
  ['moderation.view', 'moderation?banList=true&userId=261', 'whether player 261 is banned'],
  ['events.view', 'events?limit=5', 'the next five events'],
  ['departments.view', 'departments', 'the departments'],
  ['workspace.view', 'workspaces', 'the workspace'],
  ['roles.view', '_workspace-permissions', 'the roles'],
  ['endpoint_controls.view', 'endpoint-controls', 'which endpoints are off'],
]

const pathsWithoutWorkspace = new Set(['workspaces', 'endpoint-controls'])

/*
 * Builds a curl command, for any shell, that verifies a key and changes nothing.
 * @returns null for a key without read permissions

 */
export function buildCurlExample(
  origin: string,
  workspaceId: string,
  { secret, permissions }: { readonly secret: string; readonly permissions: readonly Permission[] },
): CurlExample | null {
  const example = examples.find(([permission]) => permissions.includes(permission))
  if (!example) return null
  const [, path, description] = example
  const requestPath = pathsWithoutWorkspace.has(path)
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`
  return { description, command: `curl -H "Authorization: Bearer ${secret}" "${origin}/api/${requestPath}"` }
}
