import { Badge, Box, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { describeActivity } from '../../components/account-action-labels.ts'
import { Card } from '../../components/card.tsx'
import { DataList } from '../../components/data-list.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { useIsNearScreen } from '../../components/use-is-near-screen.ts'
import { ownSessionsKey } from './sessions.ts'

/** Read again with the sessions: what changes one of them is an entry. */
const activityKey = [...ownSessionsKey, 'activity']

const readActivity = (cursor: { readonly cursor?: string }) =>
  unwrap(api.GET('/portal/api/security-activity', { params: { query: { limit: '20', ...cursor } } }))

type Activity = Awaited<ReturnType<typeof readActivity>>['entries'][number]

/** The height of the card before its list is read, in pixels: about that of the list while it loads. */
const UNREAD_HEIGHT = 248

/** What happened to the user's account: sign-ins, changed passwords and factors, ended sessions. */
export function SecurityActivityCard() {
  // Far down on the page: read once somebody scrolls to it.
  const [ref, isNear] = useIsNearScreen<HTMLDivElement>()
  const [isRead, setIsRead] = useState(false)
  useEffect(() => {
    if (isNear) setIsRead(true)
  }, [isNear])
  return (
    <Card title="Security activity" id="security-activity">
      <Text size="sm" c="dimmed" mb="sm">
        If you see something that was not you, change your password and end your other sessions.
      </Text>
      <Box ref={ref} mih={isRead ? undefined : UNREAD_HEIGHT}>
        {isRead ? <ActivityList /> : null}
      </Box>
    </Card>
  )
}

function ActivityList() {
  const pages = usePages(activityKey, readActivity)
  return (
    <DataList
      pages={pages}
      label="Security activity"
      rows={({ entries }) => entries}
      rowKey={({ id }) => id}
      empty={<Text size="sm">Nothing has happened yet.</Text>}
    >
      {(entry) => <ActivityRow entry={entry} />}
    </DataList>
  )
}

function ActivityRow({ entry }: { readonly entry: Activity }) {
  const { action, at, byYou, actorName, address } = entry
  const details = toDetails(entry)
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={550}>
          {describeActivity(action)}
        </Text>
        {details.name === null ? null : (
          <Text component="bdi" size="sm">
            {details.name}
          </Text>
        )}
        {details.isNewDevice ? (
          <Badge size="sm" variant="light" color="yellow">
            New device
          </Badge>
        ) : null}
      </Group>
      <Text size="sm" c="dimmed">
        <FormattedTime value={at} />
        {address === null ? null : ` · ${address}`}
        {/* Before somebody has signed in, nobody is known to have done it. */}
        {byYou === 'true' || actorName === 'nobody' ? null : (
          <>
            {' · by '}
            <bdi>{actorName}</bdi>
          </>
        )}
      </Text>
    </div>
  )
}

/** The name of the factor or identity that was changed, and whether a sign-in came from a new device. */
function toDetails({ changes }: Activity): { readonly name: string | null; readonly isNewDevice: boolean } {
  const fields = { ...(changes?.before as object | null), ...(changes?.after as object | null) } as {
    readonly name?: unknown
    readonly isNewDevice?: unknown
  }
  return {
    name: typeof fields.name === 'string' ? fields.name : null,
    isNewDevice: fields.isNewDevice === true,
  }
}
