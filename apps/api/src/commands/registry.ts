import type { CommandEntry } from '../command-line/command.ts'

/** Command groups, with the description shown in their help. */
export const groups: Readonly<Record<string, string>> = {
  config: 'Check the settings',
  completion: 'Print a completion script for a shell',
  'secret-key': 'Manage the secret key of the instance',
  audit: 'Verify and export the audit log',
  user: 'Manage portal accounts',
  key: 'Manage the API keys of a workspace',
  workspace: 'Manage workspaces',
  player: 'Erase players',
  quota: 'Manage the request and storage quotas of a workspace',
  control: 'Manage endpoint controls',
  webhook: 'Show, test and resend the deliveries of webhooks',
  report: 'Show and resolve reports about workspaces',
  job: 'Show and cancel archive, copy, roll-back and download jobs',
  import: 'Import records from other tools',
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
    name: 'secret-key replace',
    summary: 'Start over with a new secret key after the old one was lost',
    load: async () => (await import('./secret-key-replace.ts')).replaceSecretKeyCommand,
  },
  {
    name: 'secret-key rotate',
    summary: 'Give a stopped instance another secret key',
    load: async () => (await import('./secret-key-rotate.ts')).rotateSecretKeyCommand,
  },
  {
    name: 'audit verify',
    summary: 'Verify every row of the audit log, and compare it with published anchors',
    load: async () => (await import('./audit-verify.ts')).verifyAuditCommand,
  },
  {
    name: 'audit export',
    summary: 'Write the audit log of a workspace or of the instance to a file, with a proof',
    load: async () => (await import('./audit-export.ts')).exportAuditCommand,
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
    name: 'user link',
    summary: 'Create a link with which the owner of an account sets a new password',
    load: async () => (await import('./user-link.ts')).linkUserCommand,
  },
  {
    name: 'user reset-mfa',
    summary: 'Remove the second factors of an account and end its sessions',
    load: async () => (await import('./user-reset-mfa.ts')).resetMfaCommand,
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
    name: 'key confirm',
    summary: 'Confirm an API key that a restore has brought back and that is still in use',
    load: async () => (await import('./key-confirm.ts')).confirmKeyCommand,
  },
  {
    name: 'workspace list',
    summary: 'List workspaces',
    load: async () => (await import('./workspace-list.ts')).listWorkspacesCommand,
  },
  {
    name: 'workspace delete',
    summary: 'Request the deletion of an archived workspace, which can be undone for 30 days',
    load: async () => (await import('./workspace-delete.ts')).deleteWorkspaceCommand,
  },
  {
    name: 'workspace undelete',
    summary: 'Undo the request to delete a workspace',
    load: async () => (await import('./workspace-delete.ts')).undeleteWorkspaceCommand,
  },
  {
    name: 'player erase',
    summary: 'Erase a player on request: delete or pseudonymise everything about them',
    load: async () => (await import('./player-erase.ts')).erasePlayerCommand,
  },
  {
    name: 'webhook list',
    summary: 'List the webhooks of a workspace and whether their deliveries succeed',
    load: async () => (await import('./webhook-list.ts')).listWebhooksCommand,
  },
  {
    name: 'webhook test',
    summary: 'Send a test event to a webhook, and show the response',
    load: async () => (await import('./webhook-test.ts')).testWebhookCommand,
  },
  {
    name: 'webhook resend',
    summary: 'Send a delivery to a webhook again, or all failed ones since a time',
    load: async () => (await import('./webhook-resend.ts')).resendCommand,
  },
  {
    name: 'report list',
    summary: 'List the open reports about workspaces',
    load: async () => (await import('./report-list.ts')).listReportsCommand,
  },
  {
    name: 'report resolve',
    summary: 'Mark a report about a workspace as resolved',
    load: async () => (await import('./report-resolve.ts')).resolveReportCommand,
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
    name: 'import',
    summary: 'Import records from another tool, or show what that would do',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'import list',
    summary: 'List the imports of a workspace',
    load: async () => (await import('./import-list.ts')).listImportsCommand,
  },
  {
    name: 'import cancel',
    summary: 'Cancel an import; the records that it has created stay',
    load: async () => (await import('./import-list.ts')).cancelImportCommand,
  },
  {
    name: 'export',
    summary: 'Export the records of a workspace, or those of a player',
    load: async () => (await import('./export.ts')).exportCommand,
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
