import { ActionIcon, Badge, Collapse, Group, List, Menu, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconBan,
  IconCheck,
  IconChevronDown,
  IconDots,
  IconKey,
  IconLock,
  IconRefresh,
} from '@tabler/icons-react'
import { useId } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { DangerMenuItem } from '../../../components/danger-menu-item.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { formatPermission } from '../../../components/permission-labels.ts'
import { listLimits } from '../../../format/limits.ts'
import { pluralize } from '../../../format/number.ts'
import { CreatorBadge } from '../creator-badge.tsx'
import { type ApiKey, explainCannotManage, explainCannotRotate, findEnd, formatKeyHint } from './key-data.ts'
import classes from './keys.module.css'

interface Props {
  readonly apiKey: ApiKey
  readonly rotate?: (key: ApiKey) => void
  readonly revoke?: (key: ApiKey) => void
  /** Confirms a key that a restore has brought back. */
  readonly confirm?: (key: ApiKey) => void
}

/** A key with its status, last use, details and actions. */
export function KeyRow({ apiKey, rotate, revoke, confirm }: Props) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const detailsId = useId()
  const viewer = useWorkspace()
  const reason = revoke ? explainCannotManage(viewer, apiKey) : null
  return (
    <div>
      <div className={classes.row} id={`key-${apiKey.id}`}>
        <IconKey size={20} stroke={1.5} aria-hidden className={classes.icon} />
        <div className={classes.text}>
          <Group gap="xs">
            <Text component="bdi" fw={600}>
              {apiKey.name}
            </Text>
            <Text component="span" size="sm" c="dimmed" className={classes.hint}>
              {formatKeyHint(apiKey)}
            </Text>
            <StatusBadge apiKey={apiKey} />
            {apiKey.status === 'revoked' || apiKey.status === 'expired' ? null : (
              <CreatorBadge status={apiKey.creatorStatus} />
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            <EndTime apiKey={apiKey} />
            <LastUse apiKey={apiKey} /> · {pluralize(apiKey.permissions.length, 'permission')}
            {apiKey.allowedIps.length > 0
              ? ` · from ${pluralize(apiKey.allowedIps.length, 'IP address', 'IP addresses')} only`
              : ''}
          </Text>
          {listLimits(apiKey.limits).length > 0 ? (
            <Text size="sm" c="dimmed">
              Limits: {listLimits(apiKey.limits).join(', ')}
            </Text>
          ) : null}
          {apiKey.restoredAt && confirm ? (
            <Text size="sm" component="div">
              Restored from a backup <FormattedTime value={apiKey.restoredAt} />. It works, but it can have
              been revoked since the backup.
            </Text>
          ) : null}
          {reason === null ? null : (
            <Text size="xs" c="dimmed" className={classes.locked}>
              <IconLock size={14} aria-hidden /> {reason}
            </Text>
          )}
          <UnstyledButton
            className={classes.toggle}
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls={detailsId}
            aria-label={`Details of ${apiKey.name} ${formatKeyHint(apiKey)}`}
            data-tap
          >
            Details <IconChevronDown size={14} aria-hidden data-is-open={isOpen || undefined} />
          </UnstyledButton>
        </div>
        {rotate && revoke && confirm && reason === null ? (
          <Actions apiKey={apiKey} rotate={rotate} revoke={revoke} confirm={confirm} />
        ) : null}
      </div>
      <Collapse expanded={isOpen} id={detailsId}>
        <Details apiKey={apiKey} />
      </Collapse>
    </div>
  )
}

function Actions({ apiKey, rotate, revoke, confirm }: Required<Props>) {
  const rotateBlocker = explainCannotRotate(useWorkspace(), apiKey)
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Change ${apiKey.name} ${formatKeyHint(apiKey)}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {apiKey.restoredAt === null ? null : (
          <Menu.Item
            leftSection={<IconCheck size={16} stroke={1.7} aria-hidden />}
            onClick={() => confirm(apiKey)}
          >
            Confirm
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
          onClick={() => rotate(apiKey)}
          disabled={rotateBlocker !== null}
        >
          Rotate
          {rotateBlocker === null ? null : (
            <Text size="xs" component="span" display="block">
              {rotateBlocker}
            </Text>
          )}
        </Menu.Item>
        <DangerMenuItem
          leftSection={<IconBan size={16} stroke={1.7} aria-hidden />}
          onClick={() => revoke(apiKey)}
        >
          Revoke
        </DangerMenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}

const badges = {
  live: null,
  expiring: { label: 'Rotated', color: 'yellow' },
  revoked: { label: 'Revoked', color: 'gray' },
  expired: { label: 'Expired', color: 'gray' },
} as const

const TO_CONFIRM = { label: 'To be confirmed', color: 'yellow' } as const

/** The status of a key; nothing for a regular active one. */
const StatusBadge = ({ apiKey: { status, restoredAt } }: { readonly apiKey: ApiKey }) => {
  const badge = restoredAt !== null && status === 'live' ? TO_CONFIRM : badges[status]
  return badge ? (
    <Badge variant="light" color={badge.color}>
      {badge.label}
    </Badge>
  ) : null
}

const hasEnded = ({ status }: ApiKey): boolean => status === 'revoked' || status === 'expired'

/** When the key ends or has ended. */
const EndTime = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const at = findEnd(apiKey)
  if (at === null) return null
  return (
    <>
      {hasEnded(apiKey) ? 'Ended' : 'Works until'} <FormattedTime value={at} format="dateTime" /> ·{' '}
    </>
  )
}

const Details = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { permissions, allowedIps, createdAt, createdByUsername, expiresAt, revokedAt, status } = apiKey
  return (
    <dl className={classes.details}>
      <dt>Permissions</dt>
      <dd>
        {permissions.length === 0 ? (
          'None'
        ) : (
          <List size="sm">
            {permissions.map((permission) => (
              <List.Item key={permission}>{formatPermission(permission)}</List.Item>
            ))}
          </List>
        )}
      </dd>
      <dt>Allowed IP addresses</dt>
      <dd>{allowedIps.length === 0 ? 'Any' : allowedIps.join(', ')}</dd>
      <dt>Created</dt>
      <dd>
        <FormattedTime value={createdAt} format="dateTime" />
        {createdByUsername ? (
          <>
            {' '}
            by <bdi>{createdByUsername}</bdi>
          </>
        ) : null}
      </dd>
      {expiresAt ? (
        <>
          <dt>{status === 'expired' ? 'Expired' : 'Expires'}</dt>
          <dd>
            <FormattedTime value={expiresAt} format="dateTime" />
          </dd>
        </>
      ) : null}
      {revokedAt ? (
        <>
          <dt>{hasEnded(apiKey) ? 'Ended' : 'Ends'}</dt>
          <dd>
            <FormattedTime value={findEnd(apiKey) ?? revokedAt} format="dateTime" />
            {apiKey.revokedByUsername ? (
              <>
                {' '}
                by <bdi>{apiKey.revokedByUsername}</bdi>
              </>
            ) : null}
          </dd>
        </>
      ) : null}
    </dl>
  )
}

/** When and from which IP address a key was last used. */
export const LastUse = ({ apiKey: { lastUsedAt, lastUsedAddress } }: { readonly apiKey: ApiKey }) =>
  lastUsedAt === null ? (
    <>Never used</>
  ) : (
    <>
      Last used <FormattedTime value={lastUsedAt} />
      {lastUsedAddress ? <> from {lastUsedAddress}</> : null}
    </>
  )
