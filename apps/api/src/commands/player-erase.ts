import type { KnownBackups } from '@reeve/auth'
import { type Actor, AppError, parsePlatforms, resolvePlayerId, wire } from '@reeve/core'
import { openPlayerKey } from '@reeve/core/player-hashes'
import { erasureModes, type Queries, statement } from '@reeve/db'
import { findUnfinishedErasure, readErasures, requestErasure, runErasures } from '@reeve/moderation'
import { cliActor, type Instance, instanceCommand, required, switchOption } from '../command-line/command.ts'
import { pluralize } from '../format.ts'
import { databaseEvidenceStore } from '../images/evidence-store.ts'
import { assertNothingDelaysErasure } from './unfinished-work.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

const playersOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select(['platforms', 'pseudonym_key']).where('id', '=', p.workspaceId),
)

/** The command line as an actor that knows under which forms players of the workspace are stored. */
async function toActor(read: Queries, ports: Instance['ports'], workspaceId: string): Promise<Actor> {
  const row = await read.first(playersOf, { workspaceId })
  return {
    ...cliActor(ports, workspaceId),
    platforms: parsePlatforms(row?.platforms ?? null),
    pseudonymKey: openPlayerKey(ports, 'pseudonyms', workspaceId, row?.pseudonym_key ?? null),
  }
}

/** The command does not know the settings of backups. */
const noBackupList: KnownBackups = { backups: [], problem: '`reeve backup list` lists the backups.' }

/** Erases a player on request. Files in a bucket are deleted by the cleanup of the server. */
export const erasePlayerCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    player: required('<id>', 'the ID of the player', wire.playerId),
    mode: required(
      '<mode>',
      'erase to delete everything, or pseudonymise to keep bans without texts and names',
      wire.oneOf(erasureModes),
    ),
    reason: required(
      '<text>',
      'why, without the ID: the audit log keeps it',
      wire.text({ min: 1, max: 500 }),
    ),
    yes: switchOption('confirm: this cannot be undone'),
  },
  async run({ db, ports, shutdownSignal }, { workspace, player, mode, reason, yes }) {
    await assertWorkspaceExists(db.read, workspace)
    if (!yes)
      throw new AppError('invalid_request', {
        message: `Everything about ${player} would be erased, which cannot be undone. Repeat the command with --yes.`,
      })
    const actor = await toActor(db.read, ports, workspace)
    const userId = resolvePlayerId(player, actor.platforms)
    const read = (id: string) => readErasures(db.read, ports, actor, { id }, async () => noBackupList)
    const run = () => runErasures({ db, ports, evidence: databaseEvidenceStore, signal: shutdownSignal })
    const interrupted = await findUnfinishedErasure(db.read, workspace)
    // While no server runs, nothing else continues it.
    if (interrupted) await run()
    const isRepeated = interrupted?.mode === mode && JSON.parse(interrupted.user_ids ?? '[]').includes(userId)
    if (isRepeated) return read(interrupted.id)
    await assertNothingDelaysErasure(db.read, workspace)
    const input = { userId, confirmUserId: userId, mode, reason }
    const { erasure } = await db.write((tx) => requestErasure(tx, ports, actor, input))
    await run()
    return read(erasure.id)
  },
  print: (result) => ('erasure' in result ? formatErasure(result.erasure) : ''),
  exitCode: (result) => ('erasure' in result && result.erasure.state !== 'succeeded' ? 1 : 0),
})

type Erasure = Extract<Awaited<ReturnType<typeof readErasures>>, { erasure: object }>['erasure']

/** What an erasure counts. */
const COUNTS = [
  ...(['records', 'appeals', 'pinnedNotes', 'links', 'names', 'members'] as const),
  ...(['auditEntries', 'storedTexts', 'actors'] as const),
]

function formatErasure(erasure: Erasure): string {
  if (erasure.state !== 'succeeded')
    return 'The server is stopping, and the erasure is not complete. It continues after the next start.'
  const { records, archives, backupsBefore, mentionedInCases } = erasure
  const wasStored = COUNTS.some((name) => erasure[name] !== '0')
  const backups = `Backups from before ${backupsBefore}`
  return [
    wasStored
      ? `Erased the player: ${pluralize(Number(records), 'record')}.`
      : 'Nothing was stored about the player.',
    ...archives.map(
      ({ id, createdAt }) => `The archive ${id} of ${createdAt} contains the player: delete it.`,
    ),
    ...(mentionedInCases.length === 0
      ? []
      : [`Texts of other players contain the ID: cases ${mentionedInCases.join(', ')}.`]),
    wasStored
      ? `${backups} can contain the player: \`reeve backup list\` lists those of this instance.`
      : `${backups} contain the player only if something was stored then, and has been deleted since.`,
  ].join('\n')
}
