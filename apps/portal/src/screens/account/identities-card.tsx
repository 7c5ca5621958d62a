import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { linkProvider, type Provider, providers } from '../../api/providers.ts'
import { Card } from '../../components/card.tsx'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RowList } from '../../components/row-list.tsx'
import { notifyError, notifySuccess } from '../../components/toast.tsx'
import classes from './factors.module.css'

type Identity = PortalSchemas['Identity']

const identitiesKey = ['identities'] as const

/** The accounts of identity providers that sign in to the user's account. Absent on an instance without providers. */
export const IdentitiesCard = () =>
  providers.length === 0 ? null : (
    <Card title="Linked accounts" id="identities">
      <Text size="sm" c="dimmed" mb="md">
        You can sign in with a linked account instead of your password. Members of your workspaces see the ID
        of a linked Roblox account.
      </Text>
      <Identities />
    </Card>
  )

function Identities() {
  const { data, isError, error, refetch } = useQuery({
    queryKey: identitiesKey,
    queryFn: () => unwrap(api.GET('/portal/api/identities')),
  })
  if (isError) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingRows rows={providers.length} />
  const { identities } = data
  const unlinked = providers.filter(
    ({ name }) =>
      !identities.some((identity) => identity.isConfigured === 'true' && identity.providerName === name),
  )
  return (
    <RowList label="Linked accounts" rows={[...identities, ...unlinked]} rowKey={getRowKey}>
      {(row) => (isIdentity(row) ? <LinkedRow identity={row} /> : <UnlinkedRow provider={row} />)}
    </RowList>
  )
}

const isIdentity = (row: Identity | Provider): row is Identity => 'issuer' in row

const getRowKey = (row: Identity | Provider): string => (isIdentity(row) ? row.issuer : row.id)

function LinkedRow({ identity }: { readonly identity: Identity }) {
  const client = useQueryClient()
  const { issuer, subject, providerName, name, linkedAt, lastUsedAt } = identity
  const confirmUnlink = () =>
    openConfirmDialog({
      title: `Unlink ${providerName}?`,
      children: `You can no longer sign in with ${name ?? 'this account'}.`,
      confirmLabel: 'Unlink',
      isDestructive: true,
      run: async () => {
        await unwrap(api.DELETE('/portal/api/identities', { params: { query: { issuer } } }))
        await client.invalidateQueries({ queryKey: identitiesKey })
        notifySuccess(`${providerName} is no longer linked.`)
      },
    })
  return (
    <Group justify="space-between">
      <div className={classes.text}>
        <Text fw={550} size="sm">
          {providerName} · <bdi>{name ?? subject}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          ID {subject} · linked <FormattedTime value={linkedAt} />
          {lastUsedAt === null ? null : (
            <>
              {' '}
              · last used <FormattedTime value={lastUsedAt} />
            </>
          )}
          {identity.isConfigured === 'true' ? null : ' · no longer set up on this instance'}
        </Text>
      </div>
      <Button variant="default" size="xs" onClick={confirmUnlink} aria-label={`Unlink ${providerName}`}>
        Unlink
      </Button>
    </Group>
  )
}

function UnlinkedRow({ provider: { id, name } }: { readonly provider: Provider }) {
  const [isBusy, setIsBusy] = useState(false)
  const link = async () => {
    setIsBusy(true)
    try {
      await linkProvider(id, { path: '/account#identities' })
    } catch (error) {
      setIsBusy(false)
      notifyError(error)
    }
  }
  return (
    <Group justify="space-between">
      <Text size="sm">
        {name}{' '}
        <Text component="span" c="dimmed">
          · not linked
        </Text>
      </Text>
      <Button
        variant="default"
        size="xs"
        loading={isBusy}
        onClick={() => void link()}
        aria-label={`Link ${name}`}
      >
        Link
      </Button>
    </Group>
  )
}
