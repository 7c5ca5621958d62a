import { Loader, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { DetailsButton } from '../../components/details-button.tsx'
import { FormattedTime, RelativeTimeSuffix } from '../../components/formatted-time.tsx'
import { Initials } from '../../components/initials.tsx'
import { loadInPlace } from '../../components/load-in-place.tsx'
import { describeAction } from './action-labels.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './audit-data.ts'
import type { AuditFilters } from './audit-filters.ts'
import { resolveTarget } from './target.ts'

// Opened rarely, and it brings the fields of cases.
const EntryDetails = loadInPlace(
  async () => (await import('./entry-details.tsx')).EntryDetails,
  <Loader size="sm" />,
)

interface Props {
  readonly entry: AuditEntry
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly applyFilters: (filters: AuditFilters) => void
}

/** One change: actor, action and target, and the values before and after when expanded. */
export function EntryRow({ entry, isOpen, toggle, applyFilters }: Props) {
  const { id: workspaceId, permissions } = useWorkspace()
  const { id, at, action, actorKind } = entry
  const actorName = formatActorName(entry.actorName)
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
        <DetailsButton
          label={`Changes: ${actorName} ${describeAction(action)} ${target.name}`}
          word="Changes"
          controls={`entry-${id}`}
          isOpen={isOpen}
          toggle={toggle}
        />
      </div>
      {isOpen ? (
        <div className={classes.details} id={`entry-${id}`}>
          <EntryDetails
            entry={entry}
            actorName={actorName}
            targetName={target.name}
            applyFilters={applyFilters}
          />
        </div>
      ) : null}
    </article>
  )
}
