import type { BackupState } from '@reeve/instance'
import { lookAtBackups } from '../doctor/backups.ts'
import { readRecord } from './record.ts'

/**
 * How the backups of a data folder are, in the doctor's own words.
 * @param every how often the server makes one, in milliseconds; null where it makes none
 */
export function backupState(dataDir: string, every: number | null, now: number): BackupState {
  const { verdict, found, advice } = lookAtBackups(dataDir, every, now)
  return { verdict, found, advice, ...readRecord(dataDir) }
}
