import { assertSessionVerified } from '@reeve/auth'
import {
  type Actor,
  AppError,
  canConfirmWebhooks,
  forbidden,
  needsConfirmation,
  type Ports,
} from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { startCursor } from './dispatch/cursor.ts'
import { presentWebhook } from './model.ts'
import { recordWebhookChange } from './record-change.ts'
import { updateWebhook, type WebhookRow } from './store.ts'
import { takeOver } from './take-over.ts'

const CONFIRMATION_REQUIRED =
  'Since a restore, a move or a roll-back, this webhook waits until the owner of the workspace or an operator confirms it in the portal: Configuration → Webhooks.'

/**
 * Makes a webhook active again. It receives what happens from now on, and the deliveries that waited.
 * @param epoch the current one of the workspace
 * @throws AppError `conflict` if its secret cannot be read; `forbidden` (`session_required`, `insufficient_rank`, `verification_required`)
 *   for a webhook that only the owner and operators confirm
 */
export async function resumeWebhook(
  tx: Transaction,
  ports: Ports,
  epoch: string,
  actor: Actor,
  before: WebhookRow,
) {
  if (before.state === 'active') return { webhook: presentWebhook(before, ports.now()), secret: null }
  if (needsConfirmation(before.state_reason)) await assertCanConfirm(tx, ports, actor)
  if (before.secret === null || before.state_reason === 'secret_unreadable')
    throw new AppError('conflict', {
      message:
        before.kind !== 'discord'
          ? 'The secret of this webhook cannot be read. Rotate it first.'
          : before.secret === null
            ? 'Discord no longer knows this webhook. Create a new one with a new URL, and delete this one.'
            : 'The URL of this webhook cannot be read. Set it again first.',
    })
  const { workspaceId } = actor
  const now = ports.now()
  const active: WebhookRow = {
    ...takeOver(before, actor),
    state: 'active',
    state_reason: null,
    updated_at: now,
    version: before.version + 1,
  }
  const active_since = await recordWebhookChange(tx, ports, actor, 'resume', before, active)
  const after = await updateWebhook(tx, before, { ...active, active_since })
  await startCursor(tx, { workspaceId, sequence: active_since, epoch, now })
  return { webhook: presentWebhook(after, now), secret: null }
}

/** The instance may be a copy, or its receivers may know more than it does, which only those who are responsible for it can judge. */
async function assertCanConfirm(tx: Transaction, ports: Ports, actor: Actor): Promise<void> {
  if (actor.kind !== 'account') throw forbidden('session_required', CONFIRMATION_REQUIRED)
  if (!canConfirmWebhooks(actor)) throw forbidden('insufficient_rank', CONFIRMATION_REQUIRED)
  await assertSessionVerified(tx, ports, actor)
}
