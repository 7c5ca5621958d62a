import { Code, NativeSelect, Stack } from '@mantine/core'
import type { WebhookEvent } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { formatBody } from './delivery-details.tsx'
import { DiscordMessage } from './discord-message.tsx'
import { eventTypesQuery, type WebhookKind } from './webhook-data.ts'
import classes from './webhooks.module.css'

interface Props {
  /** The selected events. */
  readonly events: readonly WebhookEvent[]
  readonly kind: WebhookKind
}

/** An example of what is sent for one of the selected events: a body, or a message in Discord. */
export function BodyPreview({ events, kind }: Props) {
  const { id: workspaceId } = useWorkspace()
  const { data: examples } = useQuery(eventTypesQuery(workspaceId))
  const [chosen, setChosen] = useState<string | null>(null)
  const [first] = events
  if (first === undefined) return null
  const type = events.find((event) => event === chosen) ?? first
  const example = examples?.find((candidate) => candidate.type === type)
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Preview"
        description="An example of what is sent for this event."
        data={[...events]}
        value={type}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      {kind === 'discord' && example ? (
        <DiscordMessage json={example.discordExample} />
      ) : (
        <Code block tabIndex={0} role="group" aria-label={`Body of ${type}`} className={classes.body ?? ''}>
          {example ? formatBody(example.example) : '…'}
        </Code>
      )}
    </Stack>
  )
}
