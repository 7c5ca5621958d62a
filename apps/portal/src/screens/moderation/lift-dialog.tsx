import type { SanctionKind } from '@reeve/core'
import { notifySuccess } from '../../components/toast.tsx'
import { formatList } from '../../format/list.ts'
import { bidiIsolate } from '../../format/player-name.ts'
import { withExplainedErrors } from './explain-error.ts'
import { submitModeration } from './mutations.ts'
import type { ModerationRecord, PlayerSummary } from './queries.ts'
import { openReasonDialog } from './reason-dialog.tsx'

const liftEffects = { ban: 'can join again', mute: 'can speak again' } as const

/**
 * Opens the dialog for lifting a ban or mute: the one that is shown, not a newer one, and with it those that the player has under other
 * forms of the ID, so that the player is free.
 * @param playerLabel the player's newest name and id
 * @param player what is known of the player: the other cases, and the open appeals that the reader may view. Null if nothing is: then only the one
 *   that is shown is lifted
 */
export function openLiftDialog(
  workspaceId: string,
  playerLabel: string,
  kind: SanctionKind,
  sanction: Pick<ModerationRecord, 'id' | 'caseNumber' | 'reason'>,
  player: PlayerSummary | null,
): void {
  const { id, caseNumber, reason: reasonOfCase } = sanction
  const last = player?.[kind]
  const others = [last?.caseNumber ?? caseNumber, ...(last?.otherCases ?? [])].filter(
    (other) => other !== caseNumber,
  )
  const isOne = others.length === 0
  const what = isOne ? `the ${kind}` : `all ${kind}s`
  const appeals = kind === 'ban' ? (player?.openAppeals.length ?? 0) : 0
  openReasonDialog({
    title: `Lift ${what} of ${playerLabel}?`,
    children: (
      <>
        {playerLabel} {liftEffects[kind]} immediately.
        {appeals === 0 ? null : appeals === 1 ? ' The open appeal ends.' : ' The open appeals end.'}{' '}
        {isOne ? `Case ${caseNumber} stays` : `Cases ${formatList([caseNumber, ...others])} stay`} in the
        history, with your name and reason.
        {reasonOfCase === null
          ? null
          : ` Reason ${isOne ? `for the ${kind}` : `of case ${caseNumber}`}: ${bidiIsolate(reasonOfCase)}`}
      </>
    ),
    submitLabel: `Lift ${what}`,
    isOptional: true,
    run: async (reason) => {
      const reasonField = reason.trim() === '' ? {} : { reason }
      const playerField = isOne || player === null ? {} : { userId: player.userId }
      await withExplainedErrors(workspaceId, () =>
        submitModeration(workspaceId, { action: `un${kind}`, id, ...playerField, ...reasonField }),
      )
      notifySuccess(`Lifted ${what} of ${playerLabel}.`)
    },
  })
}
