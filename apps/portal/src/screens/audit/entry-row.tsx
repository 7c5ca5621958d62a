import { Button, Collapse, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconFilter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { Initials } from '../../components/initials.tsx'
import { PlainTime } from '../../components/plain-time.tsx'
import classes from './audit.module.css'
import { Changes } from './changes.tsx'
import type { AuditFilters, Entry } from './data.ts'
import { didOf } from './deeds.ts'
import { targetOf } from './target.ts'

interface Props {
  readonly entry: Entry
  readonly narrow: (filters: AuditFilters) => void
}

/** A change: who did what to what, and on demand how it was before and after. */
export function EntryRow({ entry, narrow }: Props) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const { id: workspaceId, permissions } = useWorkspace()
  const { id, at, action, actorKind, actorId, actorName, targetId } = entry
  const target = targetOf(entry, permissions)
  const to: string = `/w/${workspaceId}${target.at?.path ?? ''}`
  const name = <bdi className={classes.name}>{target.name}</bdi>
  return (
    <article aria-label={`${actorName} ${didOf(action)} ${target.name}`}>
      <div className={classes.row}>
        <Initials name={actorName} size={32} />
        <div className={classes.text}>
          <Text size="sm" component="p" m={0}>
            <bdi className={classes.name}>{actorName}</bdi>
            {actorKind === 'api_key' ? <span className={classes.kind}> (API key)</span> : null}{' '}
            {didOf(action)}{' '}
            {target.at === null ? (
              name
            ) : (
              <Link to={to} search={target.at.search} className={classes.link}>
                {name}
              </Link>
            )}
            {target.note === null ? null : <span className={classes.kind}> ({target.note})</span>}
          </Text>
          <Text size="xs" c="dimmed">
            <PlainTime at={at} as="dateTime" /> · <PlainTime at={at} />
          </Text>
        </div>
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          px="xs"
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={`entry-${id}`}
          aria-label={`Changes: ${actorName} ${didOf(action)} ${target.name}`}
          rightSection={
            <IconChevronDown
              size={16}
              aria-hidden
              className={classes.chevron}
              data-open={isOpen || undefined}
            />
          }
        >
          <span className={classes.wide}>Changes</span>
        </Button>
      </div>
      <Collapse expanded={isOpen} id={`entry-${id}`}>
        {isOpen ? (
          <div className={classes.details}>
            <Changes changes={entry.changes} />
            <Group gap="xs" mt="sm">
              <Narrow label={`Only by ${actorName}`} narrow={() => narrow({ who: actorId })} />
              <Narrow label={`Only about ${target.name}`} narrow={() => narrow({ record: targetId })} />
            </Group>
            <Facts entry={entry} />
          </div>
        ) : null}
      </Collapse>
    </article>
  )
}

const Narrow = ({ label, narrow }: { readonly label: string; readonly narrow: () => void }) => (
  <Button
    variant="default"
    size="compact-sm"
    leftSection={<IconFilter size={14} aria-hidden />}
    onClick={narrow}
  >
    {label}
  </Button>
)

/** Where it came from, and what holds it in its place. */
const Facts = ({ entry: { sequence, address, requestId, targetId, hash } }: Pick<Props, 'entry'>) => (
  <dl className={classes.facts}>
    <dt>From</dt>
    <dd>{address}</dd>
    <dt>Request</dt>
    <dd>{requestId}</dd>
    <dt>Record</dt>
    <dd>{targetId}</dd>
    <dt>Change</dt>
    <dd>
      {sequence}, sealed by <span title={hash}>{hash.slice(0, 12)}…</span>
    </dd>
  </dl>
)
