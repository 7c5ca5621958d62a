import { Badge, Button, Group, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { usePages } from '../../api/pages.ts'
import { Card } from '../../components/card.tsx'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataList } from '../../components/data-list.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { describeDevice, isMobileDevice } from '../../format/device.ts'
import { pluralize } from '../../format/number.ts'
import { useSignOut } from '../../shell/use-sign-out.ts'
import { endOtherSessions, endSession, type OwnSession, ownSessionsKey, readSessions } from './sessions.ts'
import classes from './sessions-card.module.css'

/** The user's sessions. */
export function SessionsCard() {
  const client = useQueryClient()
  const pages = usePages(ownSessionsKey, readSessions)
  const hasOthers = pages.data?.pages.some(({ sessions }) => sessions.length > 1) ?? false
  const refresh = () => client.invalidateQueries({ queryKey: ownSessionsKey })

  const confirmEndSession = ({ id, userAgent, address }: OwnSession) =>
    openConfirmDialog({
      title: `End the session on ${describeDevice(userAgent)}?`,
      children: `The browser at ${address} will be signed out.`,
      confirmLabel: 'End session',
      isDestructive: true,
      run: async () => {
        await endSession(id)
        await refresh()
        notifySuccess('Session ended.')
      },
    })
  const confirmEndOtherSessions = () =>
    openConfirmDialog({
      title: 'End all your other sessions?',
      children: 'You stay signed in here and are signed out everywhere else.',
      confirmLabel: 'End other sessions',
      isDestructive: true,
      run: async () => {
        const endedCount = await endOtherSessions()
        await refresh()
        notifySuccess(`${pluralize(endedCount, 'session')} ended.`)
      },
    })

  return (
    <Card
      title="Active sessions"
      id="sessions"
      actions={
        hasOthers ? (
          <Button variant="default" onClick={confirmEndOtherSessions}>
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
        {(session) => <SessionRow session={session} end={() => confirmEndSession(session)} />}
      </DataList>
    </Card>
  )
}

function SessionRow({ session, end }: { readonly session: OwnSession; readonly end: () => void }) {
  const signOut = useSignOut()
  const { userAgent, address, createdAt, lastSeenAt } = session
  const isCurrent = session.current === 'true'
  const Device = isMobileDevice(userAgent) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Group gap="sm">
      <Device size={24} stroke={1.5} aria-hidden className={classes.device} />
      <div className={classes.text}>
        <Group gap="xs">
          <Text fw={550} size="sm" title={userAgent}>
            {describeDevice(userAgent)}
          </Text>
          {isCurrent ? (
            <Badge size="sm" variant="light">
              This device
            </Badge>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed">
          {address} · signed in <FormattedTime value={createdAt} /> · last used{' '}
          <FormattedTime value={lastSeenAt} />
        </Text>
      </div>
      {isCurrent ? (
        <Button variant="default" size="xs" onClick={() => void signOut()}>
          Sign out
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          onClick={end}
          aria-label={`End the session on ${describeDevice(userAgent)}, ${address}`}
        >
          End
        </Button>
      )}
    </Group>
  )
}
