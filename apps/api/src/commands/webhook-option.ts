import { AppError, wire } from '@reeve/core'
import { required } from './command.ts'

/** The webhook that a command applies to. */
export const webhookOption = required(
  '<id>',
  'the ID of the webhook, as listed by `reeve webhook list`',
  wire.id,
)

/** Names the command that lists webhooks if one does not exist. */
export async function withWebhookHint<Result>(
  workspace: string,
  operation: Promise<Result>,
): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw new AppError('not_found', {
      message: `The workspace has no such webhook or delivery. Run \`reeve webhook list --workspace ${workspace}\` to list its webhooks.`,
    })
  }
}
