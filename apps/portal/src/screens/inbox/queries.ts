import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'

export type InboxItem = PortalSchemas['InboxItem']

/** What waits for the user of one kind, and who works on it. */
export const inboxQuery = (workspaceId: string, source: string) =>
  pagesQuery([workspaceId, 'inbox', 'items', source], (cursor) =>
    unwrap(api.GET('/portal/api/inbox', { params: { query: { workspaceId, source, ...cursor } } })),
  )
