/** The groups of operations, in display order. */
export const tags: Readonly<Record<string, string>> = {
  Moderation: 'Bans, mutes, kicks, warnings and notes on players, and the ban check for game servers.',
  Appeals: 'Appeals of bans, which games can let their players submit.',
  Departments: 'The departments of a workspace.',
  Workspaces: 'Workspaces and their archives.',
  'Role permissions': 'The permissions of each role in a workspace.',
  'Endpoint controls': 'Which endpoints are off or read-only.',
  Events: 'Scheduled events, including trainings.',
  Webhooks:
    'Where the events of a workspace are sent, signed as Standard Webhooks 1.0.0 or as messages in Discord.',
}

/** What a client developer needs to know before the first request. */
export const describeApi = (legacyPrefix: string): string => `\
Moderation records, departments, workspaces, role permissions, endpoint controls and scheduled events of game communities.

**URLs.** Paths are given in their current form, \`/api/<name>\`. The legacy form \`${legacyPrefix}/<name>\` is served by the
same handlers and remains supported.

**Authentication.** Send an API key as \`Authorization: Bearer <API_KEY>\`. Browsers signed in to the portal send their
session cookie. Most requests specify a workspace with \`workspaceId\`, in the query or in the body.

**Data format.** Bodies are JSON objects. Every field is a string, including numbers, booleans and times; JSON numbers and
booleans are accepted and converted to strings. Unset fields are returned as \`null\`. Unknown fields and parameters are
rejected by name. Lists include a \`nextCursor\`: pass it as \`cursor\` to get the next page.

**Errors.** Every error is JSON with \`error\` (a message for people), \`code\` (stable, for programs) and \`requestId\`.
Authorization errors also have a \`reason\`. For invalid fields, \`error\` names the first problem
(\`reason: is required\`), and \`details\` lists all of them.

**Retries.** A write with an \`Idempotency-Key\` can be retried without taking effect twice. The \`Retry-After\` header of a
429 or 503 gives the number of seconds to wait.`
