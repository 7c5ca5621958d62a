import type { Endpoint, SwitchableEndpoint } from '@reeve/core'

/** What endpoints are called here, and what they are for. */
export const endpointLabels: Readonly<
  Record<Endpoint, { readonly title: string; readonly description: string }>
> = {
  moderation: {
    title: 'Moderation',
    description: 'Ban checks of game servers; records, bans and their history.',
  },
  departments: { title: 'Departments', description: 'The departments of your staff.' },
  workspaces: { title: 'Workspaces', description: 'The workspace itself: its name and its archives.' },
  '_workspace-permissions': { title: 'Role permissions', description: 'What each role may do.' },
  'endpoint-controls': {
    title: 'Endpoint controls',
    description: 'Which endpoints are switched off: this very list.',
  },
  events: { title: 'Events', description: 'Events and trainings.' },
}

export const modes = ['on', 'read_only', 'off'] as const
export type Mode = (typeof modes)[number]

export const modeLabels: Readonly<Record<Mode, string>> = { on: 'On', read_only: 'Read-only', off: 'Off' }

/** Why an endpoint always stays on. */
export const alwaysOnReasons: Readonly<Record<Exclude<Endpoint, SwitchableEndpoint>, string>> = {
  '_workspace-permissions':
    'Always on: with it off, nobody could give back the permission to switch things on again.',
  'endpoint-controls': 'Always on: with it off, no program could find out what is switched off.',
}

/** What comes of it, for people. */
export const modeEffects: Readonly<Record<SwitchableEndpoint, Readonly<Record<Mode, string>>>> = {
  moderation: {
    on: 'Game servers can ask who is banned; whoever may can warn, mute, kick and ban.',
    read_only:
      'Game servers still learn who is banned. Nobody can warn, mute, kick or ban, or lift a ban: no program, and nobody here.',
    off: 'Game servers no longer learn who is banned: what they do then is up to their script. No program, and nobody here, can open or change a record or a ban; only the player search here goes on telling who is banned.',
  },
  departments: {
    on: 'Departments can be read, and whoever may can change them.',
    read_only: 'Departments can be read. Nobody can make, change or delete one.',
    off: 'No program can read departments, and nobody can make, change or delete one.',
  },
  workspaces: {
    on: 'The workspace can be read, and whoever may can rename, archive and restore it.',
    read_only: 'The workspace can be read. Nobody can rename, archive or restore it.',
    off: 'No program can read the workspace. Nobody can rename, archive or restore it, or list its archives.',
  },
  events: {
    on: 'Events can be read, and whoever may can plan them.',
    read_only: 'Events can be read. Nobody can make, change, publish or delete one.',
    off: 'Nobody can read events, or make, change, publish or delete one: no program, and nobody here.',
  },
}
