import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconFingerprint, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Card } from '../../components/card.tsx'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { preloadModals } from '../../components/modals.tsx'
import { RowList } from '../../components/row-list.tsx'
import { notifyError, notifySuccess } from '../../components/toast.tsx'
import { PasskeyAborted } from '../../passkeys/passkey-aborted.ts'
import { addPasskey, preloadPasskeys, supportsPasskeys } from '../../passkeys/passkeys.ts'
import factorClasses from './factors.module.css'
import { useRefreshFactors } from './factors.ts'
import { openRenamePasskeyDialog } from './passkey-name-form.tsx'
import { type Passkey, passkeysQuery, removePasskey } from './passkeys.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import classes from './sessions-card.module.css'

/** The user's passkeys. */
export function PasskeysCard() {
  const { data, error, isPending, refetch } = useQuery(passkeysQuery)
  const [isBusy, setIsBusy] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const refresh = useRefreshFactors()
  const problem = data ? findProblem(data) : null

  const add = async () => {
    setIsBusy(true)
    try {
      const { passkey, recoveryCodes } = await addPasskey()
      setCodes(recoveryCodes)
      await refresh()
      notifySuccess(`Added the passkey “${passkey.name}”.`)
    } catch (error) {
      if (!(error instanceof PasskeyAborted)) notifyError(error)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Card
      title="Passkeys"
      id="passkeys"
      actions={
        data && problem === null ? (
          <Button
            variant="default"
            loading={isBusy}
            onMouseEnter={preloadPasskeys}
            onFocus={preloadPasskeys}
            onClick={() => void add()}
          >
            Add passkey
          </Button>
        ) : null
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Sign in with your fingerprint, your face, the PIN of your device or a security key instead of your
          password. A passkey cannot be guessed, and no fake site can use it.
        </Text>
        {problem === null ? null : (
          <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
            {problem}
          </Alert>
        )}
        {isPending ? <LoadingRows rows={1} height={44} /> : null}
        {error && !data ? <ErrorState error={error} retry={() => void refetch()} /> : null}
        {data && data.passkeys.length > 0 ? (
          <RowList label="Your passkeys" rows={data.passkeys} rowKey={({ id }) => id}>
            {(passkey) => <PasskeyRow passkey={passkey} refresh={refresh} />}
          </RowList>
        ) : null}
      </Stack>
      <RecoveryCodesDialog codes={codes} close={() => setCodes(null)} />
    </Card>
  )
}

/** Why the user cannot add a passkey here; null if they can. */
function findProblem({ problem, origin }: { problem: string | null; origin: string }): ReactNode {
  if (problem !== null) return problem
  if (window.location.origin !== origin)
    return (
      <>
        Passkeys work at <Anchor href={`${origin}/account#passkeys`}>{origin}</Anchor>. Open Reeve there to
        add one.
      </>
    )
  return supportsPasskeys() ? null : 'This browser does not support passkeys. Use another one to add one.'
}

interface RowProps {
  readonly passkey: Passkey
  readonly refresh: () => Promise<unknown>
}

function PasskeyRow({ passkey, refresh }: RowProps) {
  const { id, name, authenticator, createdAt, lastUsedAt } = passkey
  const confirmRemoval = () =>
    openConfirmDialog({
      title: `Remove the passkey “${name}”?`,
      children: `It no longer signs in to your account. Then delete it from ${authenticator ?? 'your password manager or device'} too, so that you are not offered it any more.`,
      confirmLabel: 'Remove passkey',
      isDestructive: true,
      run: async () => {
        await removePasskey(id)
        await refresh()
        notifySuccess(`Removed the passkey “${name}”.`)
      },
    })
  return (
    <Group gap="sm">
      <IconFingerprint size={24} stroke={1.5} aria-hidden className={classes.device} />
      <div className={factorClasses.text}>
        <Group gap="xs">
          <Text fw={550} size="sm">
            <bdi>{name}</bdi>
          </Text>
          {passkey.isSynced === 'true' ? (
            <Badge size="sm" variant="light">
              Synced
            </Badge>
          ) : null}
          {passkey.isUsable === 'true' ? null : (
            <Badge size="sm" variant="light" color="orange">
              Not for this URL
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          added <FormattedTime value={createdAt} /> ·{' '}
          {lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              last used <FormattedTime value={lastUsedAt} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs" onMouseEnter={preloadModals}>
        <Button
          variant="default"
          size="xs"
          onClick={() => openRenamePasskeyDialog(passkey, refresh)}
          aria-label={`Rename the passkey ${name}`}
        >
          Rename
        </Button>
        <Button
          variant="default"
          size="xs"
          onClick={confirmRemoval}
          aria-label={`Remove the passkey ${name}`}
        >
          Remove
        </Button>
      </Group>
    </Group>
  )
}
