import { statSync } from 'node:fs'
import {
  DataFolderError,
  databasePath,
  type Inspection,
  inspectDataFolder,
  isDamagedDatabase,
  type SchemaDifference,
} from '@reeve/db'
import { isInFuture } from '../clock-tolerance.ts'
import type { Progress } from '../command-line/command.ts'
import { formatTimestamp } from '../format.ts'
import type { BucketSettings } from '../s3/client.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { checkContent } from './content.ts'
import { type Finding, fault, ok, toFinding, warning } from './finding.ts'
import { checkImages } from './images.ts'
import { checkSecretKey } from './secret-key.ts'

const RESTORE_ADVICE =
  'Stop the server, copy the whole data folder, then restore a backup: `reeve restore --from <backup>`.'

/** For an error that is no sign of damage, such as a missing permission. */
const UNREADABLE_ADVICE =
  'The data may be intact: correct what is reported above, check the disk (sudo dmesg), then run `reeve doctor` again.'

/**
 * Reads the whole database of a data folder and checks it.
 * @param secretKey the settings of the instance that it belongs to
 * @param publicUrl of the instance; null if it is not set, left out if it does not matter
 */
export async function checkDatabase(
  folder: string,
  now: () => number,
  progress: Progress,
  images: BucketSettings | null,
  secretKey: SecretKeyConfig,
  publicUrl?: URL | null,
): Promise<Finding[]> {
  let inspection: Inspection | undefined
  try {
    inspection = inspectDataFolder(folder)
    const schema = inspection.schema()
    return [
      checkSchema(schema),
      toFinding('database', await inspection.integrity(), 'The database is intact.', RESTORE_ADVICE),
      toFinding(
        'references',
        await inspection.foreignKeys(),
        'All references between rows are valid.',
        RESTORE_ADVICE,
      ),
      await checkSecretKey(secretKey, inspection.read),
      ...(await checkContent(schema, inspection.read, secretKey, publicUrl, now(), progress)),
      ...(await checkImages(inspection.read, images, progress)),
      checkClock(findNewestChange(folder, inspection), now()),
    ]
  } catch (error) {
    if (error instanceof DataFolderError) return [fault('database', error.message, RESTORE_ADVICE)]
    return [
      fault(
        'database',
        `The database cannot be read: ${(error as Error).message}.`,
        isDamagedDatabase(error) ? RESTORE_ADVICE : UNREADABLE_ADVICE,
      ),
    ]
  } finally {
    inspection?.close()
  }
}

/** @param reason why the database cannot be used: its data was moved away, or a move to it is incomplete */
export const movedFinding = (reason: string): Finding =>
  fault('database', reason, 'Finish the move, or set the data location to the one in use.')

export function checkSchema({ missing, unknown }: SchemaDifference): Finding {
  if (unknown.length > 0) {
    return fault(
      'schema',
      `The database was migrated by a newer version of Reeve (${unknown.join(', ')}).`,
      'Run that version or a newer one.',
    )
  }
  return missing.length > 0
    ? warning(
        'schema',
        `The database has pending migrations (${missing.join(', ')}).`,
        'Start the server or run `reeve migrate` to apply them.',
      )
    : ok('schema', 'The schema is up to date.')
}

const findNewestChange = (folder: string, inspection: Inspection): number =>
  Math.max(inspection.times().newestChange ?? 0, statSync(databasePath(folder)).mtimeMs)

/** A clock that is behind the newest change is wrong. A clock that is ahead cannot be detected here. */
export function checkClock(newestChange: number, now: number): Finding {
  if (!isInFuture(newestChange, now))
    return ok('clock', `The clock shows ${formatTimestamp(now)}, which is after the newest change.`)
  return fault(
    'clock',
    `The clock of this machine shows ${formatTimestamp(now)}, but the newest change was at ${formatTimestamp(newestChange)}.`,
    'Set the clock and enable time synchronization (timedatectl set-ntp true): the expiry of bans and sessions depends on it.',
  )
}
