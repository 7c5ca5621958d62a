import { type Actor, webhookEvents, webhookEventTypes } from '@reeve/core'
import { formatBody } from './dispatch/body.ts'
import { findExample } from './event-examples.ts'
import { formatMessage } from './outbound/discord.ts'

/**
 * The events that webhooks can receive, each with an example of its body, and of its message in Discord.
 * @param publicUrl where the links of messages lead
 */
export const listEventTypes = ({ workspaceId }: Actor, now: number, publicUrl: URL) => ({
  events: webhookEventTypes.map((type) => {
    const example = formatBody(type, now, { workspaceId, sequence: '42', ...findExample(type, workspaceId) })
    return { type, ...webhookEvents[type], example, discordExample: formatMessage(example, publicUrl) }
  }),
})
