import { type AppContext, countAppealFile } from '@reeve/auth'
import { type Actor, AppError, invalidRequest, MAX_APPEAL_FILE_BYTES, type Ports } from '@reeve/core'
import type { Database, Queries, RecordTable } from '@reeve/db'
import type { RequestContext } from '@reeve/http'
import { attachFile } from '../evidence-files/attach.ts'
import type { PlayerAppeal } from './model.ts'
import { loadPlayerContext, presentForPlayer, requireOpen } from './player.ts'
import { updateAppeal } from './store.ts'

/** Files that players send with appeals. They become evidence files of the ban, next to those of staff. */

/**
 * Asserts that a player can send a file, and counts it, before it is received.
 * @param ip of the player; null if a game sends the file
 * @throws AppError `conflict` if the workspace receives no files, or the ban has no open appeal; `rate_limited`
 */
export async function admitAppealFile(
  db: Database,
  ports: Ports,
  record: RecordTable,
  ip: string | null,
): Promise<void> {
  await findAppealForFile(db.read, ports, record)
  await countAppealFile(db, ports, record.workspace_id, ip)
}

/** The appeal that gets a file. @throws AppError `conflict` */
async function findAppealForFile(db: Queries, ports: Ports, record: RecordTable) {
  const context = await loadPlayerContext(db, record)
  if (context.settings.allows_files === 0)
    throw new AppError('conflict', { message: 'This community receives no files with appeals.' })
  return requireOpen(context, ports)
}

/**
 * Attaches a file to the open appeal of a ban, under the rules of evidence files.
 * @param actor the API key of a game, or the player
 * @returns the ban and its appeal, as the player sees them
 * @throws AppError as `admitAppealFile` and `attachFile`
 */
export async function attachAppealFile(
  context: Pick<AppContext, 'db' | 'ports' | 'storage' | 'evidence' | 'commit'>,
  actor: Actor,
  requestContext: RequestContext,
  record: RecordTable,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<PlayerAppeal> {
  const { db, ports } = context
  if (bytes.length > MAX_APPEAL_FILE_BYTES)
    throw invalidRequest({ field: 'file', message: `must have at most ${MAX_APPEAL_FILE_BYTES} bytes` })
  const appeal = await findAppealForFile(db.read, ports, record)
  return attachFile<PlayerAppeal>(
    context,
    actor,
    requestContext,
    { id: record.id, name, bytes },
    {
      appealId: appeal.id,
      async onAttach(tx) {
        const current = await findAppealForFile(tx, ports, record)
        if (current.id !== appeal.id) throw new AppError('conflict', { message: 'This appeal is closed.' })
        await updateAppeal(tx, ports, actor, 'attach_file', current, {})
      },
      present: (queries, row) => presentForPlayer(queries, ports, row),
    },
  )
}
