import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'

export type InboxItem = PortalSchemas['InboxItem']

/** What waits for the user of one kind, newest first. */
export const inboxQuery = (workspaceId: string, source: string) =>
  pagesQuery([workspaceId, 'inbox', 'items', source], (cursor) =>
    unwrap(api.GET('/portal/api/inbox', { params: { query: { workspaceId, source, ...cursor } } })),
  )
