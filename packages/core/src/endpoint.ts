/** The endpoints of the public API, by the last part of their path. */
export const endpoints = [
  'moderation',
  'departments',
  'workspaces',
  '_workspace-permissions',
  'endpoint-controls',
  'events',
  'webhooks',
] as const

export type Endpoint = (typeof endpoints)[number]

/** The first parts of the paths of the public API. `changes` and `appeals` belong to the endpoint `moderation`. */
export const publicPaths: readonly string[] = [...endpoints, 'changes', 'appeals']

/** Endpoints that a workspace can disable. The others stay enabled, so that a workspace can always undo it. */
export const switchableEndpoints = [
  'moderation',
  'departments',
  'workspaces',
  'events',
] as const satisfies Endpoint[]

export type SwitchableEndpoint = (typeof switchableEndpoints)[number]

/** A read of the portal that does not depend on endpoint controls. */
export interface PortalRead {
  readonly path: `/portal/api/${string}`
  /** What it contains, for people. */
  readonly content: string
}

const auditLog: readonly PortalRead[] = [
  { path: '/portal/api/audit', content: 'The audit log, with what changes contained' },
  { path: '/portal/api/audit.csv', content: 'The audit log as CSV' },
]
const home: PortalRead = { path: '/portal/api/overview', content: 'Home' }
const search: PortalRead = { path: '/portal/api/search', content: 'The search in this portal' }
const contentCounts: PortalRead = {
  path: '/portal/api/content',
  content: 'How much the workspace contains',
}

/** What members with permission can still read in the portal while an endpoint is off. */
export const readableWhileOff: Readonly<Record<SwitchableEndpoint, readonly PortalRead[]>> = {
  moderation: [
    { path: '/portal/api/players', content: 'The player search, with who is banned' },
    { path: '/portal/api/moderation.csv', content: 'Cases as CSV' },
    { path: '/portal/api/records.jsonl', content: 'Complete cases as JSON Lines' },
    { path: '/portal/api/player-data.json', content: 'What is stored about a player' },
    { path: '/portal/api/imports', content: 'Imports' },
    { path: '/portal/api/imports/import', content: 'The progress of an import' },
    { path: '/portal/api/imports/issues', content: 'What became of the entries of an import' },
    { path: '/portal/api/moderation/evidence-files', content: 'Evidence files' },
    { path: '/portal/api/insights.csv', content: 'Insights as CSV' },
    { path: '/portal/api/reasons', content: 'Reasons that were used before' },
    { path: '/portal/api/saved-views', content: 'Saved views' },
    { path: '/portal/api/case-work', content: 'Who works on a case' },
    { path: '/portal/api/inbox', content: 'The inbox, with the cases that it is about' },
    { path: '/portal/api/appeals', content: 'Appeals' },
    { path: '/portal/api/appeals/statistics', content: 'How appeals were decided' },
    home,
    search,
    contentCounts,
    ...auditLog,
  ],
  departments: [
    { path: '/portal/api/departments', content: 'The list of departments' },
    home,
    search,
    contentCounts,
    ...auditLog,
  ],
  workspaces: [
    { path: '/portal/api/me', content: 'The name of the workspace' },
    { path: '/portal/api/jobs', content: 'The progress of archives and other jobs' },
    { path: '/portal/api/archive', content: 'Downloads of archives that are prepared' },
    contentCounts,
    ...auditLog,
  ],
  events: [home, search, contentCounts, ...auditLog],
}
