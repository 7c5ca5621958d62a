/** The endpoints of the public API, by the last part of their path. */
export const endpoints = [
  'moderation',
  'departments',
  'workspaces',
  '_workspace-permissions',
  'endpoint-controls',
  'events',
] as const

export type Endpoint = (typeof endpoints)[number]

/** Endpoints that a workspace can disable. The others stay enabled, so that a workspace can always undo it. */
export const switchableEndpoints = [
  'moderation',
  'departments',
  'workspaces',
  'events',
] as const satisfies Endpoint[]

export type SwitchableEndpoint = (typeof switchableEndpoints)[number]
