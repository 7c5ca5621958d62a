import { api, type Schemas, unwrap } from '../../api/client.ts'
import { createNetworkError } from '../../api/error.ts'
import { type Ladder, parseLadder } from '../moderation/templates/queries.ts'

/** Without its earlier versions, except one. */
const toQuery = (workspaceId: string, id: string) => ({ params: { query: { workspaceId, id, limit: '1' } } })

/** Reads a template as it is now, archived or not. */
export async function readTemplate(workspaceId: string, id: string): Promise<Schemas['Template']> {
  const response = await unwrap(api.GET('/api/moderation/templates', toQuery(workspaceId, id)))
  if (!('template' in response)) throw createNetworkError()
  return response.template
}

/** Reads a ladder as it is now, archived or not. */
export async function readLadder(workspaceId: string, id: string): Promise<Ladder> {
  const response = await unwrap(api.GET('/api/moderation/ladders', toQuery(workspaceId, id)))
  if (!('ladder' in response)) throw createNetworkError()
  return parseLadder(response.ladder)
}
