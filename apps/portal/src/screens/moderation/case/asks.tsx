import { confirm } from '../../../components/confirm.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { askWhy } from '../ask-why.tsx'
import type { Entry } from '../data.ts'
import { act } from '../deeds.ts'
import { inWords } from '../in-words.ts'
import { isRestraint, isVerb, wordsOf } from '../words.ts'
import { actAt } from './act-at.ts'

/** `the warning of 261 (StormRider)` */
function subject({ action }: Entry, who: string): string {
  return `the ${isVerb(action) ? wordsOf[action].noun.toLowerCase() : 'record'} of ${who}`
}

/** Asks whether the player has seen it. */
export const askAcknowledged = (workspaceId: string, record: Entry, who: string): void =>
  confirm({
    title: `Has ${who} seen this?`,
    children: `Case ${record.caseNumber} then says when the player had seen it. This cannot be taken back.`,
    action: 'Mark as seen',
    run: async () => {
      await inWords(workspaceId, () => act(workspaceId, { action: 'acknowledge', id: record.id }))
      tellDone(`Case ${record.caseNumber} is marked as seen by the player.`)
    },
  })

/** Asks why a record is to be taken back. */
export function askToRevoke(workspaceId: string, record: Entry, who: string): void {
  const { action, status, caseNumber, id } = record
  const change = actAt(workspaceId, record)
  const isInForce = isRestraint(action) && status === 'active'
  askWhy({
    title: `Take back ${subject(record, who)}?`,
    children: `Case ${caseNumber} stays in the history as revoked, with who took it back and why.${isInForce ? ` The ${action} ends with it, at once.` : ''}`,
    action: 'Take it back',
    isDestructive: true,
    run: async (reason) => {
      await change({ action: 'revoke', id, reason })
      tellDone(`Took back ${subject(record, who)}.`)
    },
  })
}

/** Asks why the texts of a record are to be blanked, which nothing brings back. */
export function askToRedact(workspaceId: string, record: Entry, who: string): void {
  const { caseNumber, id } = record
  const change = actAt(workspaceId, record)
  askWhy({
    title: `Redact ${subject(record, who)}?`,
    children: (
      <>
        Blanks the reason, the evidence and the comments of case {caseNumber} for good, in its earlier
        versions and in the audit log too. That it was, about whom and by whom stays. Nobody can bring the
        texts back. The audit log keeps your reason: write nothing into it that has to go.
      </>
    ),
    action: 'Redact for good',
    isDestructive: true,
    typed: caseNumber,
    run: async (reason) => {
      await change({ action: 'redact', id, reason })
      tellDone(`Redacted ${subject(record, who)}.`)
    },
  })
}
