import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { RECOVERY_CODES } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { notifyError, notifySuccess } from '../../components/toast.tsx'
import classes from './factors.module.css'
import {
  factorsQuery,
  removeTotp,
  replaceRecoveryCodes,
  startTotpEnrolment,
  type TotpEnrolment,
  useRefreshFactors,
} from './factors.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { RequiredFactorAlert } from './required-factor-alert.tsx'
import { TotpDialog } from './totp-dialog.tsx'

/** So few recovery codes that it is time for new ones. */
const FEW_CODES = 3

interface Totp {
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** The second factors of the account: an authenticator app, and recovery codes. */
export function SecondFactorsCard() {
  const { data } = useQuery(factorsQuery)
  const refresh = useRefreshFactors()
  const [enrolment, setEnrolment] = useState<TotpEnrolment | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const hasSecondFactor = useMe().verificationFactors.some((factor) => factor !== 'password')

  const add = () => startTotpEnrolment().then(setEnrolment, notifyError)
  const confirmNewCodes = () =>
    openConfirmDialog({
      title: 'Create new recovery codes?',
      children: 'The codes that you have now stop working.',
      confirmLabel: 'Create new codes',
      run: async () => {
        setCodes(await replaceRecoveryCodes())
        await refresh()
      },
    })
  return (
    <Card title="Second factors" id="second-factors">
      <Stack gap="md">
        <RequiredFactorAlert isBusy={codes !== null} />
        <Text size="sm" c="dimmed">
          {hasSecondFactor
            ? 'After your password, signing in needs one of these or a passkey.'
            : 'With a second factor, nobody who learns your password can sign in as you.'}
        </Text>
        <TotpRow totp={data?.totp ?? null} add={add} refresh={refresh} />
        {hasSecondFactor && data ? (
          <RecoveryCodesRow remaining={Number(data.recoveryCodes.remaining)} replace={confirmNewCodes} />
        ) : null}
      </Stack>
      <TotpDialog
        enrolment={enrolment}
        close={() => setEnrolment(null)}
        onAdded={(recoveryCodes) => {
          setEnrolment(null)
          setCodes(recoveryCodes)
          notifySuccess('Authenticator app added. From now on, signing in asks for its code.')
          void refresh()
        }}
      />
      <RecoveryCodesDialog codes={codes} close={() => setCodes(null)} />
    </Card>
  )
}

interface TotpRowProps {
  readonly totp: Totp | null
  readonly add: () => void
  readonly refresh: () => Promise<unknown>
}

function TotpRow({ totp, add, refresh }: TotpRowProps) {
  const confirmRemoval = () =>
    openConfirmDialog({
      title: 'Remove the authenticator app?',
      children:
        'Its codes stop working. If it is your only second factor, your recovery codes stop working too, and your password alone is enough to sign in.',
      confirmLabel: 'Remove app',
      isDestructive: true,
      run: async () => {
        await removeTotp()
        notifySuccess('Authenticator app removed.')
        await refresh()
      },
    })
  return (
    <Group gap="sm">
      <div className={classes.text}>
        <Text fw={550} size="sm">
          Authenticator app
        </Text>
        <Text size="sm" c="dimmed">
          {totp ? (
            <>
              Added <FormattedTime value={totp.createdAt} />
              {totp.lastUsedAt ? (
                <>
                  {' '}
                  · last used <FormattedTime value={totp.lastUsedAt} />
                </>
              ) : (
                ' · not used yet'
              )}
            </>
          ) : (
            'An app on your phone shows a new code every 30 seconds'
          )}
        </Text>
      </div>
      {totp ? (
        <>
          <Button variant="default" size="xs" onClick={add} aria-label="Replace the authenticator app">
            Replace
          </Button>
          <Button
            variant="default"
            size="xs"
            onClick={confirmRemoval}
            aria-label="Remove the authenticator app"
          >
            Remove
          </Button>
        </>
      ) : (
        <Button onClick={add}>Add an app</Button>
      )}
    </Group>
  )
}

interface RecoveryCodesRowProps {
  readonly remaining: number
  readonly replace: () => void
}

const RecoveryCodesRow = ({ remaining, replace }: RecoveryCodesRowProps) => (
  <Stack gap="xs">
    <Group gap="sm">
      <div className={classes.text}>
        <Text fw={550} size="sm">
          Recovery codes
        </Text>
        <Text size="sm" c="dimmed">
          {remaining} of {RECOVERY_CODES} left
        </Text>
      </div>
      <Button variant="default" size="xs" onClick={replace}>
        Create new codes
      </Button>
    </Group>
    {remaining <= FEW_CODES ? (
      <Alert color="yellow">
        {remaining === 0
          ? 'You have no recovery codes. If you lose your second factor, only an operator can let you in again.'
          : 'Few recovery codes are left. Create new ones before you need them.'}
      </Alert>
    ) : null}
  </Stack>
)
