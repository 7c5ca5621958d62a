import { formatSize } from '@reeve/core/size'
import type { Queries } from '@reeve/db'
import { findStorageDrift, type StorageDrift } from '@reeve/metering'
import type { Progress } from '../command-line/command.ts'
import { MAX_NAMED, pluralize } from '../format.ts'
import { type Finding, ok, warning } from './finding.ts'

const ADVICE =
  'A running server counts each workspace again once a day and corrects its counters; until then, storage quotas use the wrong ' +
  'ones. If this is still reported after two days, check the log of the server for the job `storage`.'

/** Compares the storage counters of every workspace with its rows. */
export async function checkStorage(read: Queries, progress: Progress): Promise<Finding> {
  const { workspaces, pending, drifts } = await findStorageDrift(read, (counted) =>
    progress.update(`storage of ${pluralize(counted, 'workspace')} counted`),
  )
  if (drifts.length > 0) {
    const named = drifts.slice(0, MAX_NAMED).map(formatDrift).join('; ')
    const others = drifts.length > MAX_NAMED ? `; and ${drifts.length - MAX_NAMED} more` : ''
    return warning(
      'storage',
      `${drifts.length === 1 ? '1 storage counter differs' : `${drifts.length} storage counters differ`} from what is stored: ${named}${others}.`,
      ADVICE,
    )
  }
  const suffix = pending > 0 ? `; the server has yet to count ${pluralize(pending, 'workspace')}` : ''
  return ok(
    'storage',
    `The storage counters of ${pluralize(workspaces - pending, 'workspace')} match what is stored${suffix}.`,
  )
}

const formatDrift = ({ workspaceId, kind, counter, stored }: StorageDrift): string =>
  `${kind} of workspace ${workspaceId}: ${formatBytes(counter)} counted, ${formatBytes(stored)} stored`

const formatBytes = (bytes: number): string => (bytes < 0 ? `−${formatSize(-bytes)}` : formatSize(bytes))
