import { api, type Schemas, unwrap } from '../../api/client.ts'
import { createNetworkError } from '../../api/error.ts'
import { pagesQuery } from '../../api/pages.ts'

export type Erasure = Schemas['Erasure']

const fetchErasures = async (query: { workspaceId: string; cursor?: string }) => {
  const page = await unwrap(api.GET('/api/moderation/erasures', { params: { query } }))
  if (!('erasures' in page)) throw createNetworkError()
  return page
}

/** The erasures of a workspace, newest first. */
export const erasuresQuery = (workspaceId: string) =>
  pagesQuery([workspaceId, 'erasures', 'list'], (cursor) => fetchErasures({ workspaceId, ...cursor }))
