import { ActionIcon, Badge, Collapse, Group, List, Menu, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBan, IconChevronDown, IconDots, IconKey, IconLock, IconRefresh } from '@tabler/icons-react'
import { useId } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { DangerItem } from '../../../components/danger-item.tsx'
import { permissionWords } from '../../../components/permission-words.ts'
import { PlainTime } from '../../../components/plain-time.tsx'
import { count } from '../../../format/number.ts'
import { type ApiKey, hintOf, whyNoRotation, whyOutOfReach } from './key-data.ts'
import classes from './keys.module.css'
import { LastUse } from './last-use.tsx'

interface Props {
  readonly apiKey: ApiKey
  readonly rotate?: (key: ApiKey) => void
  readonly revoke?: (key: ApiKey) => void
}

/** A key: what it is for, whether it is used, and what the reader can do with it. */
export function KeyRow({ apiKey, rotate, revoke }: Props) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const detailsId = useId()
  const reader = useWorkspace()
  const reason = revoke ? whyOutOfReach(reader, apiKey) : null
  return (
    <div>
      <div className={classes.row}>
        <IconKey size={20} stroke={1.5} aria-hidden className={classes.icon} />
        <div className={classes.text}>
          <Group gap="xs">
            <Text component="bdi" fw={600}>
              {apiKey.name}
            </Text>
            <Text component="span" size="sm" c="dimmed" className={classes.hint}>
              {hintOf(apiKey)}
            </Text>
            <Standing apiKey={apiKey} />
          </Group>
          <Text size="sm" c="dimmed" component="div">
            <End apiKey={apiKey} />
            <LastUse apiKey={apiKey} /> · {count(apiKey.permissions.length, 'permission')}
            {apiKey.addresses.length > 0
              ? ` · from ${count(apiKey.addresses.length, 'address', 'addresses')} only`
              : ''}
          </Text>
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
            aria-label={`Details of ${apiKey.name} ${hintOf(apiKey)}`}
          >
            Details <IconChevronDown size={14} aria-hidden data-is-open={isOpen || undefined} />
          </UnstyledButton>
        </div>
        {rotate && revoke && reason === null ? (
          <Actions apiKey={apiKey} rotate={rotate} revoke={revoke} />
        ) : null}
      </div>
      <Collapse expanded={isOpen} id={detailsId}>
        <Details apiKey={apiKey} />
      </Collapse>
    </div>
  )
}

function Actions({ apiKey, rotate, revoke }: Required<Props>) {
  const noRotation = whyNoRotation(useWorkspace(), apiKey)
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Change ${apiKey.name} ${hintOf(apiKey)}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
          onClick={() => rotate(apiKey)}
          disabled={noRotation !== null}
        >
          Rotate
          {noRotation === null ? null : (
            <Text size="xs" component="span" display="block">
              {noRotation}
            </Text>
          )}
        </Menu.Item>
        <DangerItem
          leftSection={<IconBan size={16} stroke={1.7} aria-hidden />}
          onClick={() => revoke(apiKey)}
        >
          Revoke
        </DangerItem>
      </Menu.Dropdown>
    </Menu>
  )
}

const badges = {
  live: null,
  expiring: { word: 'Rotated', color: 'yellow' },
  revoked: { word: 'Revoked', color: 'gray' },
  expired: { word: 'Expired', color: 'gray' },
} as const

/** Whether there is more to a key than that it works. */
const Standing = ({ apiKey: { status } }: { readonly apiKey: ApiKey }) => {
  const badge = badges[status]
  return badge ? (
    <Badge variant="light" color={badge.color}>
      {badge.word}
    </Badge>
  ) : null
}

/** When it ends, or ended. */
const End = ({ apiKey: { status, revokedAt, expiresAt } }: { readonly apiKey: ApiKey }) => {
  const at = status === 'expired' ? expiresAt : (revokedAt ?? expiresAt)
  if (at === null) return null
  const isOver = status === 'revoked' || status === 'expired'
  return (
    <>
      {isOver ? 'Ended' : 'Works until'} <PlainTime at={at} as="dateTime" /> ·{' '}
    </>
  )
}

const Details = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { permissions, addresses, createdAt, createdByUsername, expiresAt, revokedAt, status } = apiKey
  return (
    <dl className={classes.details}>
      <dt>It may</dt>
      <dd>
        {permissions.length === 0 ? (
          'do nothing'
        ) : (
          <List size="sm">
            {permissions.map((permission) => (
              <List.Item key={permission}>{permissionWords(permission)}</List.Item>
            ))}
          </List>
        )}
      </dd>
      <dt>From</dt>
      <dd>{addresses.length === 0 ? 'everywhere' : addresses.join(', ')}</dd>
      <dt>Made</dt>
      <dd>
        <PlainTime at={createdAt} as="dateTime" />
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
            <PlainTime at={expiresAt} as="dateTime" />
          </dd>
        </>
      ) : null}
      {revokedAt ? (
        <>
          <dt>{status === 'expiring' ? 'Ends' : 'Ended'}</dt>
          <dd>
            <PlainTime at={revokedAt} as="dateTime" />
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
