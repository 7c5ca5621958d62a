/// <reference path="./embedded.d.ts" />
import { type AppContext, publicRoute } from '@reeve/auth'
import luauSource from '@reeve/client-luau/Reeve.luau' with { type: 'text' }
import { invalidRequest, isUuid, requireFields, wire } from '@reeve/core'
import { errorResponses, inputField, requestObject } from '@reeve/http'
import { Elysia } from 'elysia'
import { notFoundError } from '../errors.ts'
import { renderRobloxModel } from './roblox-model.ts'

/** A file that browsers save, and ask for again each time: its URL stays the same when Reeve is updated. */
const toDownloadHeaders = (name: string, contentType: string) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-cache',
})

const ModelQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace whose players the game checks'),
})

/** `/clients`: the clients for games and programs. They contain no secret, so they need no credentials. */
export const clients = ({ auth, settings }: AppContext) =>
  new Elysia({ name: 'clients', tags: ['Clients'], normalize: false })
    .use(auth)
    .get(
      '/clients/reeve.luau',
      async ({ set }) => {
        Object.assign(set.headers, toDownloadHeaders('Reeve.luau', 'text/plain; charset=utf-8'))
        return luauSource
      },
      { permission: publicRoute, detail: { summary: 'The client for Roblox', hide: true } },
    )
    .get(
      '/clients/reeve.rbxmx',
      async ({ query, set }) => {
        const { workspaceId } = requireFields(query, 'workspaceId')
        // Stricter than the codec: no row is looked up, so nothing else would reject a text that XML cannot contain.
        if (!isUuid(workspaceId))
          throw invalidRequest({ field: 'workspaceId', message: 'must be the id of a workspace' })
        Object.assign(set.headers, toDownloadHeaders('reeve.rbxmx', 'application/xml; charset=utf-8'))
        return renderRobloxModel('Reeve', luauSource, {
          Url: settings.publicUrl.origin,
          WorkspaceId: workspaceId,
        })
      },
      {
        permission: publicRoute,
        query: ModelQuery,
        response: errorResponses('invalid_request'),
        detail: { summary: 'The client for Roblox as a model, with URL and workspace', hide: true },
      },
    )
    .get(
      '/clients/:file',
      async ({ params, set }) => {
        // The build of the package needs the OpenAPI document, so this module is loaded before the package exists.
        const { archive } = await import('@reeve/client/archive')
        if (params.file !== archive.name) throw notFoundError()
        Object.assign(set.headers, toDownloadHeaders(archive.name, 'application/gzip'))
        return Bun.file(archive.path).bytes()
      },
      { permission: publicRoute, detail: { summary: 'The client for TypeScript as a package', hide: true } },
    )
