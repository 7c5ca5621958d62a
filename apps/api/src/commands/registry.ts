import type { CommandEntry } from './command.ts'

/** Command groups, with the description shown in their help. */
export const groups: Readonly<Record<string, string>> = {
  config: 'Check the settings',
  completion: 'Print a completion script for a shell',
  user: 'Manage portal accounts',
  key: 'Manage the API keys of a workspace',
  workspace: 'Manage workspaces',
  quota: 'Manage the request and storage quotas of a workspace',
  control: 'Manage endpoint controls',
  job: 'Show and cancel archive, copy, roll-back and download jobs',
}

/** Every command, in the order shown in the help. */
export const registry: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Run the server',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'init',
    summary: 'Create the first account, its workspace, and an API key with every permission',
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'migrate',
    summary: 'Apply pending database migrations',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'openapi',
    summary: 'Print the OpenAPI document',
    load: async () => (await import('./openapi.ts')).openapiCommand,
  },
  {
    name: 'doctor',
    summary: 'Check the instance for problems and suggest fixes',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'health',
    summary: 'Ask the running server whether it is ready; exits with status 1 if it is not',
    load: async () => (await import('./health.ts')).healthCommand,
  },
  {
    name: 'config check',
    summary: 'Validate the settings without starting the server',
    load: async () => (await import('./config-check.ts')).checkConfigCommand,
  },
  {
    name: 'backup',
    summary: 'Create and verify a backup of the database, even while the server is running',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'backup list',
    summary: 'List the backups in the backup folder and the bucket',
    load: async () => (await import('./backup-list.ts')).listBackupsCommand,
  },
  {
    name: 'backup verify',
    summary: 'Restore a backup to a scratch folder, check it, and remove the folder',
    load: async () => (await import('./backup-verify.ts')).verifyBackupCommand,
  },
  {
    name: 'backup create-key',
    summary: 'Create a key file with which uploaded backups are encrypted',
    load: async () => (await import('./backup-create-key.ts')).createBackupKeyCommand,
  },
  {
    name: 'restore',
    summary: 'Replace the database with a backup; the old database is kept under another name',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'move',
    summary: 'Move all data to a PostgreSQL database or back to a data folder',
    load: async () => (await import('./move.ts')).moveCommand,
  },
  {
    name: 'user create',
    summary: 'Create an account',
    load: async () => (await import('./user-create.ts')).createUserCommand,
  },
  {
    name: 'user list',
    summary: 'List accounts',
    load: async () => (await import('./user-list.ts')).listUsersCommand,
  },
  {
    name: 'user reset-password',
    summary: 'Set a new password for an account and end its sessions',
    load: async () => (await import('./user-reset-password.ts')).resetPasswordCommand,
  },
  {
    name: 'user disable',
    summary: 'Disable an account: it can no longer sign in, and its sessions end',
    load: async () => (await import('./user-disable.ts')).disableUserCommand,
  },
  {
    name: 'user enable',
    summary: 'Enable a disabled account',
    load: async () => (await import('./user-disable.ts')).enableUserCommand,
  },
  {
    name: 'user operator',
    summary: 'Grant or revoke operator access to the whole instance',
    load: async () => (await import('./user-operator.ts')).operatorCommand,
  },
  {
    name: 'user sessions',
    summary: 'List the sessions of an account, or end them',
    load: async () => (await import('./user-sessions.ts')).userSessionsCommand,
  },
  {
    name: 'user delete',
    summary: 'Delete an account; its records and audit entries stay, under its name',
    load: async () => (await import('./user-delete.ts')).deleteUserCommand,
  },
  {
    name: 'key create',
    summary: 'Create an API key; the secret is shown once',
    load: async () => (await import('./key-create.ts')).createKeyCommand,
  },
  {
    name: 'key list',
    summary: 'List the API keys of a workspace',
    load: async () => (await import('./key-list.ts')).listKeysCommand,
  },
  {
    name: 'key revoke',
    summary: 'Revoke an API key',
    load: async () => (await import('./key-revoke.ts')).revokeKeyCommand,
  },
  {
    name: 'workspace list',
    summary: 'List workspaces',
    load: async () => (await import('./workspace-list.ts')).listWorkspacesCommand,
  },
  {
    name: 'quota show',
    summary: 'Show the quotas of a workspace and how much of them is used',
    load: async () => (await import('./quota-show.ts')).showQuotaCommand,
  },
  {
    name: 'quota set',
    summary: 'Set how many requests a workspace may send per calendar month, and how much it may store',
    load: async () => (await import('./quota-set.ts')).setQuotaCommand,
  },
  {
    name: 'control list',
    summary: 'List the endpoint controls of a workspace',
    load: async () => (await import('./control-list.ts')).listControlsCommand,
  },
  {
    name: 'control set',
    summary: 'Set an endpoint of a workspace to on, read_only or off',
    load: async () => (await import('./control-set.ts')).setControlCommand,
  },
  {
    name: 'job list',
    summary: 'List the unfinished jobs, or all jobs of one workspace',
    load: async () => (await import('./job-list.ts')).listJobsCommand,
  },
  {
    name: 'job show',
    summary: 'Show a job',
    load: async () => (await import('./job-show.ts')).showJobCommand,
  },
  {
    name: 'job watch',
    summary: 'Show the progress of a job until it has ended; exits with status 1 if it did not succeed',
    load: async () => (await import('./job-watch.ts')).watchJobCommand,
  },
  {
    name: 'job cancel',
    summary: 'Cancel a job',
    load: async () => (await import('./job-cancel.ts')).cancelJobCommand,
  },
  {
    name: 'completion bash',
    summary: 'Print the completion script for bash',
    load: async () => (await import('./completion.ts')).bashCompletionCommand,
  },
  {
    name: 'completion zsh',
    summary: 'Print the completion script for zsh',
    load: async () => (await import('./completion.ts')).zshCompletionCommand,
  },
  {
    name: 'completion fish',
    summary: 'Print the completion script for fish',
    load: async () => (await import('./completion.ts')).fishCompletionCommand,
  },
]
