/** The groups of operations, in the order in which they are shown. */
export const tags: Readonly<Record<string, string>> = {
  Moderation:
    'Bans, mutes, kicks, warnings and notes about players, and the ban check that a game server makes.',
  Departments: 'The departments of a workspace.',
  Workspaces: 'Workspaces, their archives, and bringing them back.',
  'Role permissions': 'What each role of a workspace may do.',
  'Endpoint controls': 'Which endpoints are switched off, or to reading only.',
  Events: 'Scheduled events, trainings among them.',
}

/** What a reader of the document needs to know before the first call. */
export const describeApi = (legacyPrefix: string): string => `\
Moderation records, departments, workspaces, role permissions, endpoint controls and scheduled events of game communities.

**Addresses.** Every address is given in its current form, \`/api/<name>\`. The legacy form \`${legacyPrefix}/<name>\` is
answered by the same handlers and stays supported.

**Calling.** Send an API key as \`Authorization: Bearer <API_KEY>\`; browsers signed in to the portal send their session
cookie. Most calls name a workspace by \`workspaceId\`, in the query or in the body.

**The wire.** Bodies are JSON objects. Every field is a string, numbers, flags and times included; JSON numbers and
booleans are read as their string form. Unset fields come back as \`null\`. An unknown field or parameter is refused by
name. Lists come with a \`nextCursor\`: give it back as \`cursor\` for the next page.

**Errors.** Every error is JSON with \`error\` (a sentence for a person), \`code\` (stable, for programs) and \`requestId\`;
authorisation errors add \`reason\`, refused fields are listed in \`details\`.

**Trying again.** A write that carries an \`Idempotency-Key\` may be sent again without doing its work twice. A 429 or 503
says in \`Retry-After\` how many seconds to wait.`
