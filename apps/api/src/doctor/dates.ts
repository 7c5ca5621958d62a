import { formatTimestamp, MAX_NAMED, pluralize } from '../format.ts'
import { type Finding, fault, ok } from './finding.ts'

interface DatedRecord {
  readonly workspaceId: string
  readonly caseNumber: number
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
}

interface DatedEntry {
  readonly workspaceId: string
  readonly sequence: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** Collects what is dated in the future, while something else reads it. */
export interface FutureDates {
  readonly addRecord: (record: DatedRecord) => void
  readonly addEntry: (entry: DatedEntry) => void
  readonly toFinding: (now: number) => Finding
}

const ADVICE =
  'A clock was probably ahead when they were written: of this machine, or of another one that runs Reeve. Check it, and enable ' +
  'time synchronization (timedatectl set-ntp true). Bans and mutes that were imposed then end too late: correct their duration in ' +
  'the portal. Nothing else is necessary; they are no longer reported after that time.'

export function collectFutureDates(): FutureDates {
  const named: string[] = []
  let [records, entries, latest] = [0, 0, 0]
  const add = (name: string, at: number) => {
    latest = Math.max(latest, at)
    if (named.length < MAX_NAMED) named.push(`${name}: ${formatTimestamp(at)}`)
  }
  return {
    addRecord({ workspaceId, caseNumber, id, at }) {
      records += 1
      add(`case ${caseNumber} of workspace ${workspaceId} (record ${id})`, at)
    },
    addEntry({ workspaceId, sequence, at }) {
      entries += 1
      add(`audit log row ${sequence} of chain ${workspaceId}`, at)
    },
    toFinding(now) {
      if (records + entries === 0)
        return ok('dates', 'No record and no audit log row is dated in the future.')
      const others = records + entries - named.length
      return fault(
        'dates',
        `${pluralize(records, 'record')} and ${pluralize(entries, 'audit log row')} are dated after the current time of this machine ` +
          `(${formatTimestamp(now)}), up to ${formatTimestamp(latest)}: ${named.join('; ')}${others > 0 ? `; and ${others} more` : ''}.`,
        ADVICE,
      )
    },
  }
}
