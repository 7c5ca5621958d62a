import { bytes } from '../../format/number.ts'
import type { InstanceState } from './data.ts'

/** Something that is not well, and the way out. */
export interface Concern {
  readonly severity: 'warning' | 'fault'
  readonly what: string
  readonly advice: string
}

/** Below this share of the disk, room gets scarce. */
const LITTLE_ROOM = 0.1
/** Below this one, the next busy day may fill it. */
const NO_ROOM = 0.03
/** As many units of work as wait only where the disk does not keep up. */
const MANY_WAITING = 500

function concernsOfDisk(disk: NonNullable<InstanceState['disk']>, needed: number): Concern[] {
  const free = Number(disk.freeBytes)
  const share = free / Math.max(Number(disk.totalBytes), 1)
  if (share >= LITTLE_ROOM && free >= needed) return []
  return [
    {
      severity: share < NO_ROOM ? 'fault' : 'warning',
      what: `The disk of the data folder has ${bytes(free)} left.`,
      advice:
        'A full disk refuses every write until there is room again, and a backup needs as much as the database. Make ' +
        'room, or move the data folder to a larger disk.',
    },
  ]
}

/** What an operator has to do something about, the worst first. */
export function concernsOf({ disk, databaseBytes, writes, backup }: InstanceState): readonly Concern[] {
  const found: Concern[] = []
  if (backup.verdict !== 'ok') {
    found.push({
      severity: backup.verdict,
      what: backup.found,
      advice: backup.advice ?? 'Run reeve doctor on the server; it says more.',
    })
  }
  if (disk !== null) found.push(...concernsOfDisk(disk, Number(databaseBytes)))
  if (Number(writes.waiting) > MANY_WAITING) {
    found.push({
      severity: 'warning',
      what: `${writes.waiting} units of work wait to be written.`,
      advice:
        'The disk does not keep up. Look for another program that uses it, or for a disk that is failing or slow.',
    })
  }
  return found.toSorted((one, other) => Number(other.severity === 'fault') - Number(one.severity === 'fault'))
}
