import { tellDone } from '../../components/tell.tsx'
import { askWhy } from './ask-why.tsx'
import type { Held } from './data.ts'
import { act } from './deeds.ts'
import { inWords } from './in-words.ts'
import { isolated, type Restraint } from './words.ts'

const freed = { ban: 'can join again', mute: 'can speak again' } as const

/**
 * Asks whether to end a ban or mute that is in force: the very one that is shown, not one that came since.
 * @param who the player, by id and newest name
 */
export function askToLift(
  workspaceId: string,
  who: string,
  kind: Restraint,
  held: Pick<Held, 'id' | 'caseNumber' | 'reason'>,
): void {
  askWhy({
    title: `Lift the ${kind} of ${who}?`,
    children: (
      <>
        {who} {freed[kind]} at once. Case {held.caseNumber} stays in the history, with who lifted it and why.
        {held.reason === null ? null : ` It was given for: ${isolated(held.reason)}`}
      </>
    ),
    action: `Lift the ${kind}`,
    isOptional: true,
    run: async (reason) => {
      const why = reason.trim() === '' ? {} : { reason }
      await inWords(workspaceId, () => act(workspaceId, { action: `un${kind}`, id: held.id, ...why }))
      tellDone(`Lifted the ${kind} of ${who}.`)
    },
  })
}
