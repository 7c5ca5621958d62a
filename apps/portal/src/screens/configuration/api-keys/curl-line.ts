import type { Permission } from '@reeve/core'

interface Trial {
  /** What the call answers, in words. */
  readonly answers: string
  readonly line: string
}

/** Reads that show that a key works, the likeliest first. An address without its workspace is the key's own. */
const trials: readonly (readonly [Permission, string, string])[] = [
  ['moderation.view', 'moderation?banList=true&userId=261', 'whether player 261 is banned'],
  ['events.view', 'events?limit=5', 'the next five events'],
  ['departments.view', 'departments', 'the departments'],
  ['workspace.view', 'workspaces', 'the workspace'],
  ['roles.view', '_workspace-permissions', 'the roles'],
  ['endpoint_controls.view', 'endpoint-controls', 'which endpoints are switched off'],
]

const namesNoWorkspace = new Set(['workspaces', 'endpoint-controls'])

/**
 * A line for a terminal, of any system, that shows that a key works and changes nothing.
 * @returns null for a key that reads nothing
 */
export function curlLine(
  origin: string,
  workspaceId: string,
  { secret, permissions }: { readonly secret: string; readonly permissions: readonly Permission[] },
): Trial | null {
  const trial = trials.find(([permission]) => permissions.includes(permission))
  if (!trial) return null
  const [, path, answers] = trial
  const address = namesNoWorkspace.has(path)
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`
  return { answers, line: `curl -H "Authorization: Bearer ${secret}" "${origin}/api/${address}"` }
}
