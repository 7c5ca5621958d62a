import { OWNER_RANK } from './actor.ts'

/** Whether a webhook was paused because the history of its workspace was replaced, and waits for somebody to confirm it. */
export const needsConfirmation = (stateReason: string | null): boolean =>
  stateReason === 'restored' || stateReason === 'rolled_back'

/** Whether somebody confirms webhooks in a workspace: its owner, and the operators among those who manage webhooks. */
export const canConfirmWebhooks = (member: {
  readonly rank: number
  readonly isOperator: boolean
}): boolean => member.isOperator || member.rank >= OWNER_RANK
