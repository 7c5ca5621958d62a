import type { SanctionKind } from '@reeve/core'
import { notifySuccess } from '../../components/toast.tsx'
import { bidiIsolate } from '../../format/player-name.ts'
import { withExplainedErrors } from './explain-error.ts'
import { submitModeration } from './mutations.ts'
import type { ActiveSanction } from './queries.ts'
import { openReasonDialog } from './reason-dialog.tsx'

const liftEffects = { ban: 'can join again', mute: 'can speak again' } as const

/**
 * Opens the dialog for lifting a ban or mute: the one that is shown, not a newer one.
 * @param playerLabel the player's newest name and id
 * @param hasOpenAppeal whether the reader may view an open appeal of it, which ends with it
 */
export function openLiftDialog(
  workspaceId: string,
  playerLabel: string,
  kind: SanctionKind,
  sanction: Pick<ActiveSanction, 'id' | 'caseNumber' | 'reason'>,
  hasOpenAppeal: boolean,
): void {
  openReasonDialog({
    title: `Lift the ${kind} of ${playerLabel}?`,
    children: (
      <>
        {playerLabel} {liftEffects[kind]} immediately.{hasOpenAppeal ? ' The open appeal ends.' : null} Case{' '}
        {sanction.caseNumber} stays in the history, with your name and reason.
        {sanction.reason === null ? null : ` Reason for the ${kind}: ${bidiIsolate(sanction.reason)}`}
      </>
    ),
    submitLabel: `Lift the ${kind}`,
    isOptional: true,
    run: async (reason) => {
      const reasonField = reason.trim() === '' ? {} : { reason }
      await withExplainedErrors(workspaceId, () =>
        submitModeration(workspaceId, { action: `un${kind}`, id: sanction.id, ...reasonField }),
      )
      notifySuccess(`Lifted the ${kind} of ${playerLabel}.`)
    },
  })
}
