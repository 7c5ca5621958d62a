import { formatBytes, pluralize } from '../../format/number.ts'
import type { InstanceState } from './operator-data.ts'

/** A problem with the instance and how to fix it. */
export interface HealthWarning {
  readonly severity: 'warning' | 'fault'
  readonly title: string
  /** Commands are in backticks. */
  readonly advice?: string
  /** The screen with what it is about. */
  readonly link?: { readonly to: string; readonly label: string }
}

/** Free share of the disk below which there is a warning. */
const LOW_DISK_SHARE = 0.1
/** Free share below which the disk may soon be full. */
const CRITICAL_DISK_SHARE = 0.03
/** A write queue of this length means that the disk is too slow. */
const HIGH_QUEUE_LENGTH = 500

function findDiskWarnings(disk: NonNullable<InstanceState['disk']>, requiredBytes: number): HealthWarning[] {
  const free = Number(disk.freeBytes)
  const share = free / Math.max(Number(disk.totalBytes), 1)
  if (share >= LOW_DISK_SHARE && free >= requiredBytes) return []
  return [
    {
      severity: share < CRITICAL_DISK_SHARE ? 'fault' : 'warning',
      title: `The disk of the data folder has only ${formatBytes(free)} free.`,
      advice:
        'Writes fail when the disk is full, and a backup needs as much space as the database. Free up space, or move ' +
        'the data folder to a larger disk.',
    },
  ]
}

/** The problems that an operator should fix, the most severe first. */
export function findHealthWarnings({
  disk,
  databaseBytes,
  writes,
  openReports,
  backup,
  warnings: deployment,
}: InstanceState): readonly HealthWarning[] {
  const warnings: HealthWarning[] = deployment.map(({ found, advice }) => ({
    severity: 'warning',
    title: found,
    advice,
  }))
  if (backup.verdict !== 'ok') {
    warnings.push({
      severity: backup.verdict,
      title: backup.found,
      advice: backup.advice ?? 'Run `reeve doctor` on the server for details.',
    })
  }
  if (disk !== null) warnings.push(...findDiskWarnings(disk, Number(databaseBytes)))
  if (Number(writes.waiting) > HIGH_QUEUE_LENGTH) {
    warnings.push({
      severity: 'warning',
      title: `${writes.waiting} writes are waiting in the queue.`,
      advice: 'The disk is too slow. Check for other programs that use it, and for a failing disk.',
    })
  }
  if (Number(openReports) > 0) {
    warnings.push({
      severity: 'warning',
      title: `${pluralize(openReports, 'report about a workspace is', 'reports about workspaces are')} open.`,
      link: { to: '/operator/reports', label: 'Look at the reports' },
    })
  }
  return warnings.toSorted((a, b) => Number(b.severity === 'fault') - Number(a.severity === 'fault'))
}
