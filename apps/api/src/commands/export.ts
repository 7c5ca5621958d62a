import { DEFAULT_PLATFORMS, parsePlatforms, resolvePlayerId, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { formatCsvHeader, formatCsvLine } from '@reeve/http'
import { createRecordsCsv, exportPlayerData, exportRecords, parseListQuery } from '@reeve/moderation'
import { cliActor, localCommand, optional, pathCodec, required } from '../command-line/command.ts'
import { readSettings } from '../config.ts'
import { pluralize } from '../format.ts'
import { systemPorts } from '../ports.ts'
import { AUDIT_SETTINGS, openInspection } from './read-audit.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'
import { writeLines } from './write-lines.ts'

const formats = ['jsonl', 'csv'] as const

const platformsOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('platforms').where('id', '=', p.workspaceId),
)

/** The lines of a CSV file without their line breaks. */
async function* readCsv(db: Queries, actor: ReturnType<typeof cliActor>, player: string | null) {
  const file = createRecordsCsv(
    db,
    systemPorts,
    actor,
    parseListQuery(player === null ? {} : { userId: [player] }),
  )
  yield trimLine(formatCsvHeader(file.header))
  for (let cursor: string | undefined; ; ) {
    const { lines, nextCursor } = await file.readPage(cursor)
    for (const line of lines) yield trimLine(formatCsvLine(line))
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

const trimLine = (line: string): string => line.replace(/\r\n$/, '\r')

/** Writes the records of a workspace, or what is stored about a player, to a file. Changes nothing, next to a running server. */
export const exportCommand = localCommand({
  options: {
    workspace: workspaceOption,
    to: required('<file>', 'the file to create; an existing one is not replaced', pathCodec),
    format: optional(
      '<format>',
      'jsonl for complete records with comments, evidence and earlier versions (default without --player), or csv for spreadsheets',
      wire.oneOf(formats),
    ),
    player: optional(
      '<id>',
      'everything that is stored about this player, as JSON; with --format only their records',
      wire.playerId,
    ),
  },
  settings: AUDIT_SETTINGS,
  async run({ flags, env }, { workspace, to, format, player }) {
    const { read, close } = await openInspection(
      readSettings(['dataDir', 'databaseUrl', 'secretKey'], flags, env),
    )
    try {
      await assertWorkspaceExists(read, workspace)
      const stored = await read.first(platformsOf, { workspaceId: workspace })
      const platforms = stored ? parsePlatforms(stored.platforms) : DEFAULT_PLATFORMS
      const actor = { ...cliActor(systemPorts, workspace), platforms }
      const resolved = player === null ? null : resolvePlayerId(player, platforms)
      if (resolved !== null && format === null) {
        await writeLines(to, exportPlayerData(read, systemPorts, actor, resolved))
        return { file: to, player: resolved }
      }
      const isCsv = format === 'csv'
      const lines = isCsv ? readCsv(read, actor, resolved) : exportRecords(read, systemPorts, actor, resolved)
      const written = await writeLines(to, lines)
      return { file: to, records: isCsv ? written - 1 : written }
    } finally {
      await close()
    }
  },
  print: ({ file, ...exported }) =>
    'player' in exported
      ? `Exported everything that is stored about ${exported.player} to ${file}.`
      : `Exported ${pluralize(exported.records, 'record')} to ${file}.`,
})
