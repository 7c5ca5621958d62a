import { formatBytes } from '../../format/number.ts'
import type { InstanceState } from './operator-data.ts'

/** Something that is not well, and the way out. */
export interface HealthWarning {
  readonly severity: 'warning' | 'fault'
  readonly title: string
  readonly advice: string
}

/** Below this share of the disk, room gets scarce. */
const LOW_DISK_SHARE = 0.1
/** Below this one, the next busy day may fill it. */
const CRITICAL_DISK_SHARE = 0.03
/** As many units of work as wait only where the disk does not keep up. */
const HIGH_QUEUE_LENGTH = 500

function findDiskWarnings(disk: NonNullable<InstanceState['disk']>, requiredBytes: number): HealthWarning[] {
  const free = Number(disk.freeBytes)
  const share = free / Math.max(Number(disk.totalBytes), 1)
  if (share >= LOW_DISK_SHARE && free >= requiredBytes) return []
  return [
    {
      severity: share < CRITICAL_DISK_SHARE ? 'fault' : 'warning',
      title: `The disk of the data folder has ${formatBytes(free)} left.`,
      advice:
        'A full disk refuses every write until there is room again, and a backup needs as much as the database. Make ' +
        'room, or move the data folder to a larger disk.',
    },
  ]
}

/** What an operator has to do something about, the worst first. */
export function findHealthWarnings({
  disk,
  databaseBytes,
  writes,
  backup,
}: InstanceState): readonly HealthWarning[] {
  const warnings: HealthWarning[] = []
  if (backup.verdict !== 'ok') {
    warnings.push({
      severity: backup.verdict,
      title: backup.found,
      advice: backup.advice ?? 'Run reeve doctor on the server; it says more.',
    })
  }
  if (disk !== null) warnings.push(...findDiskWarnings(disk, Number(databaseBytes)))
  if (Number(writes.waiting) > HIGH_QUEUE_LENGTH) {
    warnings.push({
      severity: 'warning',
      title: `${writes.waiting} units of work wait to be written.`,
      advice:
        'The disk does not keep up. Look for another program that uses it, or for a disk that is failing or slow.',
    })
  }
  return warnings.toSorted((a, b) => Number(b.severity === 'fault') - Number(a.severity === 'fault'))
}
