import type { Command } from './command.ts'

/** A command before it is needed: each is loaded alone, so that one does not pay for another. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Groups of commands, with the line that their help begins with. */
export const groups: Readonly<Record<string, string>> = {
  user: 'People who sign in to the portal',
  key: 'API keys of a workspace',
  workspace: 'Workspaces of the instance',
  quota: 'How much a workspace may use the service',
  control: 'Switches of endpoints',
}

/** Every command, in the order of the help. */
export const registry: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Answer calls until told to stop',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'init',
    summary: 'Make the first account, its workspace, and an API key with every permission',
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'migrate',
    summary: 'Bring the database up to date',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'openapi',
    summary: 'Print the OpenAPI document',
    load: async () => (await import('./openapi.ts')).openapiCommand,
  },
  {
    name: 'doctor',
    summary: 'Look for what is wrong, and say what to do',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'backup',
    summary: 'Make a checked copy of the database, beside a running server too',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Put a backup in the place of the database, and keep that one aside',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'move',
    summary: 'Move all data to a PostgreSQL database, or back to a folder',
    load: async () => (await import('./move.ts')).moveCommand,
  },
  {
    name: 'user create',
    summary: 'Make an account',
    load: async () => (await import('./user.ts')).createUserCommand,
  },
  {
    name: 'user list',
    summary: 'List accounts',
    load: async () => (await import('./user.ts')).listUsersCommand,
  },
  {
    name: 'user reset-password',
    summary: 'Give an account another password, and end its sessions',
    load: async () => (await import('./user.ts')).resetPasswordCommand,
  },
  {
    name: 'key create',
    summary: 'Make an API key; it is shown once',
    load: async () => (await import('./key.ts')).createKeyCommand,
  },
  {
    name: 'key list',
    summary: 'List the API keys of a workspace',
    load: async () => (await import('./key.ts')).listKeysCommand,
  },
  {
    name: 'key revoke',
    summary: 'End an API key, from the next call on',
    load: async () => (await import('./key.ts')).revokeKeyCommand,
  },
  {
    name: 'workspace list',
    summary: 'List workspaces',
    load: async () => (await import('./workspace.ts')).listWorkspacesCommand,
  },
  {
    name: 'quota set',
    summary: 'Limit the calls a workspace may make in a calendar month',
    load: async () => (await import('./quota.ts')).setQuotaCommand,
  },
  {
    name: 'control set',
    summary: 'Switch an endpoint of a workspace on, to read-only, or off',
    load: async () => (await import('./control.ts')).setControlCommand,
  },
]
