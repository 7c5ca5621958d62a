import { statSync } from 'node:fs'
import { verifyAudit } from '@reeve/audit'
import { MINUTE_MS } from '@reeve/core'
import {
  databasePath,
  type Inspection,
  inspectDataFolder,
  type Queries,
  type SchemaDifference,
} from '@reeve/db'
import type { Progress } from '../commands/command.ts'
import { formatTimestamp } from '../format.ts'
import type { BucketSettings } from '../images/bucket.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { checkImages } from './images.ts'

const RESTORE_ADVICE =
  'Stop the server, keep a copy of the whole data folder, and put a backup in its place: `reeve restore --from <backup>`.'

/** How far a clock may be behind what was written by it, in milliseconds. */
const CLOCK_TOLERANCE_MS = MINUTE_MS

/** Reads the database of a data folder from end to end. */
export async function checkDatabase(
  folder: string,
  now: () => number,
  progress: Progress,
  images: BucketSettings | null,
): Promise<Finding[]> {
  let inspection: Inspection | undefined
  try {
    inspection = inspectDataFolder(folder)
    return [
      checkSchema(inspection.schema()),
      toFinding('database', inspection.integrity(), 'The database is whole.', RESTORE_ADVICE),
      toFinding(
        'references',
        inspection.foreignKeys(),
        'Every row refers to rows that are there.',
        RESTORE_ADVICE,
      ),
      await checkAudit(inspection.read, progress),
      await checkImages(inspection.read, images),
      checkClock(findNewestChange(folder, inspection), now()),
    ]
  } catch (error) {
    return [fault('database', `The database cannot be read: ${(error as Error).message}.`, RESTORE_ADVICE)]
  } finally {
    inspection?.close()
  }
}

/** @param why why the database cannot be used: its data was moved away, or has not arrived */
export const movedFinding = (reason: string): Finding =>
  fault('database', reason, 'Finish the move, or let the settings name the place that the data is in use at.')

export function checkSchema({ missing, unknown }: SchemaDifference): Finding {
  if (unknown.length > 0) {
    return fault(
      'schema',
      `The database is from a newer Reeve (${unknown.join(', ')}).`,
      'Run that version or a later one.',
    )
  }
  return missing.length > 0
    ? warning(
        'schema',
        `The database is from an older Reeve (${missing.join(', ')} are missing).`,
        'The next start brings it up to date, or `reeve migrate`.',
      )
    : ok('schema', 'The schema is that of this version.')
}

const toFinding = (
  check: Finding['check'],
  faults: readonly string[],
  okMessage: string,
  advice: string,
): Finding => (faults.length === 0 ? ok(check, okMessage) : fault(check, `${faults.join('; ')}.`, advice))

export async function checkAudit(read: Queries, progress: Progress): Promise<Finding> {
  const { rows, faults } = await verifyAudit(read, (read) => progress.update(`${read} rows of the audit log`))
  return toFinding(
    'audit',
    faults.map(({ workspaceId, sequence, fault }) => `chain ${workspaceId}, row ${sequence}: ${fault}`),
    `All ${rows} rows of the audit log are there and as they were written.`,
    'Someone changed the log, or what it lies on is damaged: compare it with a backup.',
  )
}

const findNewestChange = (folder: string, inspection: Inspection): number =>
  Math.max(inspection.times().newestChange ?? 0, statSync(databasePath(folder)).mtimeMs)

/** A clock cannot be right that is behind what it has stamped already. That it is ahead, nothing here can tell. */
export function checkClock(newestChange: number, now: number): Finding {
  if (newestChange - now <= CLOCK_TOLERANCE_MS)
    return ok('clock', `It is ${formatTimestamp(now)}, after everything that was written.`)
  return fault(
    'clock',
    `It is ${formatTimestamp(now)} by the clock of this machine, but the newest change is of ${formatTimestamp(newestChange)}.`,
    'Set the clock, and let the machine keep it (timedatectl set-ntp true): bans end and sessions expire by it.',
  )
}
