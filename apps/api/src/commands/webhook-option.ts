import { wire } from '@reeve/core'
import { required } from '../command-line/command.ts'
import { withNotFoundHint } from './not-found-hint.ts'

/** The webhook that a command applies to. */
export const webhookOption = required(
  '<id>',
  'the ID of the webhook, as listed by `reeve webhook list`',
  wire.id,
)

/** Names the command that lists webhooks if one does not exist. */
export const withWebhookHint = <Result>(workspace: string, operation: Promise<Result>): Promise<Result> =>
  withNotFoundHint(
    operation,
    `The workspace has no such webhook or delivery. Run \`reeve webhook list --workspace ${workspace}\` to list its webhooks.`,
  )
