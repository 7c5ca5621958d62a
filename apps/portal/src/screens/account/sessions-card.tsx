import { Badge, Button, Group, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { usePages } from '../../api/pages.ts'
import { Card } from '../../components/card.tsx'
import { confirm } from '../../components/confirm.tsx'
import { DataList } from '../../components/data-list.tsx'
import { PlainTime } from '../../components/plain-time.tsx'
import { tellDone } from '../../components/tell.tsx'
import { deviceOf, isHandheld } from '../../format/device.ts'
import { count } from '../../format/number.ts'
import { useSignOut } from '../../shell/sign-out.ts'
import { endOtherSessions, endSession, type OwnSession, ownSessionsKey, readSessions } from './sessions.ts'
import classes from './sessions-card.module.css'

/** Where the reader is signed in. */
export function SessionsCard() {
  const client = useQueryClient()
  const pages = usePages(ownSessionsKey, readSessions)
  const hasOthers = pages.data?.pages.some(({ sessions }) => sessions.length > 1) ?? false
  const again = () => client.invalidateQueries({ queryKey: ownSessionsKey })

  const endOne = ({ id, userAgent, address }: OwnSession) =>
    confirm({
      title: `End the session of ${deviceOf(userAgent)}?`,
      children: `Whoever uses it, from ${address}, has to sign in again.`,
      action: 'End the session',
      isDestructive: true,
      run: async () => {
        await endSession(id)
        await again()
        tellDone('The session has ended.')
      },
    })
  const endOthers = () =>
    confirm({
      title: 'End all your other sessions?',
      children: 'You stay signed in here; everywhere else you have to sign in again.',
      action: 'End the others',
      isDestructive: true,
      run: async () => {
        const ended = await endOtherSessions()
        await again()
        tellDone(`${count(ended, 'session')} ended.`)
      },
    })

  return (
    <Card
      title="Where you are signed in"
      actions={
        hasOthers ? (
          <Button variant="default" onClick={endOthers}>
            End all others
          </Button>
        ) : null
      }
    >
      <DataList
        pages={pages}
        label="Your sessions"
        rows={({ sessions }) => sessions}
        rowKey={({ id }) => id}
        empty={null}
      >
        {(session) => <SessionRow session={session} end={() => endOne(session)} />}
      </DataList>
    </Card>
  )
}

function SessionRow({ session, end }: { readonly session: OwnSession; readonly end: () => void }) {
  const signOut = useSignOut()
  const { userAgent, address, createdAt, lastSeenAt } = session
  const isHere = session.current === 'true'
  const Device = isHandheld(userAgent) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Group wrap="nowrap" gap="sm">
      <Device size={24} stroke={1.5} aria-hidden className={classes.device} />
      <div className={classes.text}>
        <Group gap="xs">
          <Text fw={550} size="sm" title={userAgent}>
            {deviceOf(userAgent)}
          </Text>
          {isHere ? (
            <Badge size="sm" variant="light">
              This one
            </Badge>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed">
          {address} · signed in <PlainTime at={createdAt} /> · last used <PlainTime at={lastSeenAt} />
        </Text>
      </div>
      {isHere ? (
        <Button variant="default" size="xs" onClick={() => void signOut()}>
          Sign out
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          onClick={end}
          aria-label={`End the session of ${deviceOf(userAgent)}, ${address}`}
        >
          End
        </Button>
      )}
    </Group>
  )
}
