import type { Permission } from '@reeve/core'
import { tellDone } from '../../../components/tell.tsx'
import type { Entry } from '../data.ts'
import { act, liftingNeeds } from '../deeds.ts'
import { inWords } from '../in-words.ts'
import { sayUntil } from '../when.ts'
import { aNoun, isRestraint, isVerb, playerName, wordsOf } from '../words.ts'

/** Kept with the record, so that nobody wonders. */
const WHY_UNDONE = 'Taken back right after'

interface Around {
  /** Whether one that was in force gave way: taking the new one back would not bring it back. */
  readonly gaveWay: boolean
  readonly permissions: ReadonlySet<Permission>
}

/** Says what was done, by what the server answered, and offers to take it back where that leaves things as they were. */
export function tellOfDeed(workspaceId: string, record: Entry, { gaveWay, permissions }: Around): void {
  const { action, id, version } = record
  const may = permissions.has(isRestraint(action) ? liftingNeeds[action] : 'moderation.revoke')
  if (!may || gaveWay) {
    tellDone(sentenceOf(record))
    return
  }
  const undo = isRestraint(action) ? `un${action}` : 'revoke'
  const run = async () => {
    const deed = { action: undo, id, reason: WHY_UNDONE }
    await inWords(workspaceId, () => act(workspaceId, deed, version))
    tellDone(`Case ${record.caseNumber} was taken back.`)
  }
  tellDone(sentenceOf(record), { label: 'Undo', run })
}

function sentenceOf(record: Entry): string {
  const { action, caseNumber, expiresAt } = record
  if (!isVerb(action)) return `Case ${caseNumber} is recorded.`
  if (isRestraint(action)) {
    return `${wordsOf[action].past} ${playerName(record)} ${sayUntil(expiresAt, Date.now())}. Case ${caseNumber}.`
  }
  return `Recorded ${aNoun(action)} of ${playerName(record)}. Case ${caseNumber}.`
}
