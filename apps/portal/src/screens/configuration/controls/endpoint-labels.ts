import type { Endpoint, SwitchableEndpoint } from '@reeve/core'

/** Title and description of each endpoint. */
export const endpointLabels: Readonly<
  Record<Endpoint, { readonly title: string; readonly description: string }>
> = {
  moderation: {
    title: 'Moderation',
    description: 'Ban checks by game servers; cases, bans and their history.',
  },
  departments: { title: 'Departments', description: 'The departments of your staff.' },
  workspaces: { title: 'Workspaces', description: 'The workspace with its name and archives.' },
  '_workspace-permissions': { title: 'Role permissions', description: 'The permissions of each role.' },
  'endpoint-controls': {
    title: 'Endpoint controls',
    description: 'The mode of each endpoint: this list.',
  },
  events: { title: 'Events', description: 'Events and trainings.' },
  webhooks: { title: 'Webhooks', description: 'Where events are sent, and what was delivered.' },
}

export const modes = ['on', 'read_only', 'off'] as const
export type Mode = (typeof modes)[number]

export const modeLabels: Readonly<Record<Mode, string>> = { on: 'On', read_only: 'Read-only', off: 'Off' }

/** Why an endpoint cannot be turned off. */
export const alwaysOnReasons: Readonly<Record<Exclude<Endpoint, SwitchableEndpoint>, string>> = {
  '_workspace-permissions':
    'Always on: without it, no one could restore the permission to turn endpoints on again.',
  'endpoint-controls': 'Always on: without it, no program could find out which endpoints are off.',
  webhooks: 'Always on: to stop events, pause the webhook.',
}

/** The effect of each mode, for users. */
export const modeEffects: Readonly<Record<SwitchableEndpoint, Readonly<Record<Mode, string>>>> = {
  moderation: {
    on: 'Game servers can check bans, and members with permission can moderate.',
    read_only:
      'Game servers can still check bans. No one, neither programs nor members, can warn, mute, kick, ban or lift a ban.',
    off: 'Game servers can no longer check bans; their scripts decide what happens then. No one, neither programs nor members, can open or change cases. Only the player search in this portal still shows who is banned.',
  },
  departments: {
    on: 'Departments can be read, and members with permission can change them.',
    read_only: 'Departments can be read. No one can create, change or delete them.',
    off: 'Programs cannot read departments, and no one can create, change or delete them.',
  },
  workspaces: {
    on: 'The workspace can be read, and members with permission can rename, archive and restore it.',
    read_only: 'The workspace can be read. No one can rename, archive or restore it.',
    off: 'Programs cannot read the workspace. No one can rename, archive or restore it, or list its archives.',
  },
  events: {
    on: 'Events can be read, and members with permission can manage them.',
    read_only: 'Events can be read. No one can create, change, publish or delete them.',
    off: 'No one, neither programs nor members, can read, create, change, publish or delete events.',
  },
}
