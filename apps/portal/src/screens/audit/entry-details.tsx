import { Button, Group } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import classes from './audit.module.css'
import type { AuditEntry } from './audit-data.ts'
import type { AuditFilters } from './audit-filters.ts'
import { Changes } from './changes.tsx'

interface Props {
  readonly entry: AuditEntry
  readonly actorName: string
  readonly targetName: string
  readonly applyFilters: (filters: AuditFilters) => void
}

/** The values before and after a change, filters for more like it, and where it came from. */
export const EntryDetails = ({ entry, actorName, targetName, applyFilters }: Props) => (
  <>
    <Changes changes={entry.changes} targetKind={entry.targetKind} />
    <Group gap="xs" mt="sm">
      <FilterButton
        label={`Only changes by ${actorName}`}
        applyFilters={() => applyFilters({ who: entry.actorId })}
      />
      <FilterButton
        label={`Only changes to ${targetName}`}
        applyFilters={() => applyFilters({ record: entry.targetId })}
      />
    </Group>
    <EntryMetadata entry={entry} />
  </>
)

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
