/** The endpoints of the public interface, by the last part of their path. */
export const endpoints = [
  'moderation',
  'departments',
  'workspaces',
  '_workspace-permissions',
  'endpoint-controls',
  'events',
] as const

export type Endpoint = (typeof endpoints)[number]

/** Those that a workspace may switch off; the others stay on, so that nobody locks themselves out. */
export const switchableEndpoints = [
  'moderation',
  'departments',
  'workspaces',
  'events',
] as const satisfies Endpoint[]

export type SwitchableEndpoint = (typeof switchableEndpoints)[number]
