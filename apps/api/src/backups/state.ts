import type { BackupState } from '@reeve/instance'
import { lookAtBackups } from '../doctor/backups.ts'
import { readRecord } from './record.ts'

/** A server has backups of its own, with tools that know it better. */
const ELSEWHERE: BackupState = {
  verdict: 'ok',
  found: 'The data lies on a database server: its backups are made there.',
  advice: null,
  made: null,
  failed: null,
}

/**
 * How the backups of an instance are, in the doctor's own words.
 * @param folder where the data lies; null where it is on a database server
 * @param every how often the server makes one, in milliseconds; null where it makes none
 */
export function backupState(folder: string | null, every: number | null, now: number): BackupState {
  if (folder === null) return ELSEWHERE
  const { verdict, found, advice } = lookAtBackups(folder, every, now)
  return { verdict, found, advice, ...readRecord(folder) }
}
