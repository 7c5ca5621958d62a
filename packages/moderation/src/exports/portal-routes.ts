import { type AppContext, type Rule, requireVerification } from '@reeve/auth'
import { requireFields, wire } from '@reeve/core'
import { yieldToEventLoop } from '@reeve/db'
import { errorResponses, inputField, requestObject } from '@reeve/http'
import { Elysia } from 'elysia'
import { ModerationCsvQuery } from '../records/csv.ts'
import { parseListQuery } from '../records/parse-request.ts'
import { type ExportExtent, exportList, exportRecords, recordExport } from './export-records.ts'
import { exportPlayerData } from './player-data.ts'

/** The fields of a query that are no filters, besides one player. */
const UNFILTERED: ReadonlySet<string> = new Set(['workspaceId', 'userId'])

const FILE_NAMES: Readonly<Record<ExportExtent, string>> = {
  all: 'records',
  'of a player': 'player',
  'of a list': 'records',
}

const PlayerDataQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  userId: inputField(wire.playerId, 'The player'),
})

const exportRule: Rule = requireVerification({
  caller: 'session',
  permission: 'moderation.export',
  rejectsCrossSite: true,
})

/** Streams lines: the next one is read when the client has received those before. An error aborts the response. */
function streamLines(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await yieldToEventLoop()
        const { done, value } = await lines.next()
        if (done) controller.close()
        else controller.enqueue(utf8.encode(`${value}\n`))
      },
      async cancel() {
        await lines.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** `/portal/api/records.jsonl`: complete records for another program, or those of a list; `/portal/api/player-data.json`: what is stored about a player. */
export const exportPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'exports-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/records.jsonl',
      async ({ actor, query }) => {
        const list = parseListQuery(query)
        const players = query.userId ?? []
        const isFiltered = players.length > 1 || Object.keys(query).some((field) => !UNFILTERED.has(field))
        const [player = null] = players
        const extent: ExportExtent = isFiltered ? 'of a list' : player === null ? 'all' : 'of a player'
        await recordExport(app.db, app.ports, actor, extent)
        const day = wire.time.write(app.ports.now()).slice(0, 10)
        const { read } = app.db
        const lines = isFiltered
          ? exportList(read, app.ports, actor, list)
          : exportRecords(read, app.ports, actor, player)
        return new Response(streamLines(lines), {
          headers: {
            'content-type': 'application/x-ndjson; charset=utf-8',
            'content-disposition': `attachment; filename="${FILE_NAMES[extent]}-${day}.jsonl"`,
          },
        })
      },
      {
        permission: exportRule,
        query: ModerationCsvQuery,
        response: errorResponses('missing_workspace_id'),
        detail: { summary: 'Download complete records as JSON Lines' },
      },
    )
    .get(
      '/portal/api/player-data.json',
      async ({ actor, query }) => {
        const { userId } = requireFields(query, 'userId')
        await recordExport(app.db, app.ports, actor, 'of a player')
        const day = wire.time.write(app.ports.now()).slice(0, 10)
        return new Response(streamLines(exportPlayerData(app.db.read, app.ports, actor, userId)), {
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'content-disposition': `attachment; filename="player-${day}.json"`,
          },
        })
      },
      {
        permission: exportRule,
        query: PlayerDataQuery,
        response: errorResponses('missing_workspace_id'),
        detail: { summary: 'Download everything that is stored about a player' },
      },
    )
