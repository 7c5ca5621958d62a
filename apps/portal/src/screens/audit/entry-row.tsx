import { Button, Group, Text } from '@mantine/core'
import { IconChevronDown, IconFilter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { FormattedTime, RelativeTimeSuffix } from '../../components/formatted-time.tsx'
import { Initials } from '../../components/initials.tsx'
import { describeAction } from './action-labels.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './audit-data.ts'
import type { AuditFilters } from './audit-filters.ts'
import { Changes } from './changes.tsx'
import { resolveTarget } from './target.ts'

interface Props {
  readonly entry: AuditEntry
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly applyFilters: (filters: AuditFilters) => void
}

/** One change: actor, action and target, and the values before and after when expanded. */
export function EntryRow({ entry, isOpen, toggle, applyFilters }: Props) {
  const { id: workspaceId, permissions } = useWorkspace()
  const { id, at, action, actorKind, actorId, actorName, targetId } = entry
  const target = resolveTarget(entry, permissions)
  const to: string = `/w/${workspaceId}${target.link?.path ?? ''}`
  const name = <bdi className={classes.name}>{target.name}</bdi>
  return (
    <article aria-label={`${actorName} ${describeAction(action)} ${target.name}`}>
      <div className={classes.row}>
        <Initials name={actorName} size={32} />
        <div className={classes.text}>
          <Text size="sm" component="p" m={0}>
            <bdi className={classes.name}>{actorName}</bdi>
            {actorKind === 'api_key' ? <span className={classes.note}> (API key)</span> : null}{' '}
            {describeAction(action)}{' '}
            {target.link === null ? (
              name
            ) : (
              <Link to={to} search={target.link.search} className={classes.link}>
                {name}
              </Link>
            )}
            {target.note === null ? null : <span className={classes.note}> ({target.note})</span>}
          </Text>
          <Text size="xs" c="dimmed">
            <FormattedTime value={at} format="dateTime" />
            <RelativeTimeSuffix value={at} />
          </Text>
        </div>
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          px="xs"
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `entry-${id}` : undefined}
          aria-label={`Changes: ${actorName} ${describeAction(action)} ${target.name}`}
          rightSection={
            <IconChevronDown
              size={16}
              aria-hidden
              className={classes.chevron}
              data-open={isOpen || undefined}
            />
          }
        >
          <span className={classes.wideOnly}>Changes</span>
        </Button>
      </div>
      {isOpen ? (
        <div className={classes.details} id={`entry-${id}`}>
          <Changes changes={entry.changes} targetKind={entry.targetKind} />
          <Group gap="xs" mt="sm">
            <FilterButton
              label={`Only changes by ${actorName}`}
              applyFilters={() => applyFilters({ who: actorId })}
            />
            <FilterButton
              label={`Only changes to ${target.name}`}
              applyFilters={() => applyFilters({ record: targetId })}
            />
          </Group>
          <EntryMetadata entry={entry} />
        </div>
      ) : null}
    </article>
  )
}

const FilterButton = ({
  label,
  applyFilters,
}: {
  readonly label: string
  readonly applyFilters: () => void
}) => (
  <Button
    variant="default"
    size="compact-sm"
    leftSection={<IconFilter size={14} aria-hidden />}
    onClick={applyFilters}
  >
    {label}
  </Button>
)

/** The origin of the change and its position in the hash chain. */
const EntryMetadata = ({ entry: { sequence, address, requestId, targetId, hash } }: Pick<Props, 'entry'>) => (
  <dl className={classes.facts}>
    <dt>IP address</dt>
    <dd>{address}</dd>
    <dt>Request ID</dt>
    <dd>{requestId}</dd>
    <dt>Record ID</dt>
    <dd>{targetId}</dd>
    <dt>Sequence</dt>
    <dd>
      {sequence}, hash <span title={hash}>{hash.slice(0, 12)}…</span>
    </dd>
  </dl>
)
