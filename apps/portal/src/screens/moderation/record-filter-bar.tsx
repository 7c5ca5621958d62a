import { Button, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { recordActions, recordStatuses, severities } from '@reeve/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DayRangeFields } from '../../components/day-range-fields.tsx'
import { actionInfo, toLabel } from './action-labels.ts'
import { ActionFilter } from './filters/action-filter.tsx'
import { ActorFilter } from './filters/actor-filter.tsx'
import { PlayerFilter } from './filters/player-filter.tsx'
import { TextFilter } from './filters/text-filter.tsx'
import classes from './record-filter-bar.module.css'
import type { RecordListFilters, SetRecordFilters } from './record-filters.ts'

interface Props {
  readonly filters: RecordListFilters
  readonly setFilters: SetRecordFilters
  /** The filters that differ between the records of the list. */
  readonly available: readonly ('action' | 'status')[]
  readonly isWide: boolean
  /** What is beside the button for further filters, on a phone only. */
  readonly children: ReactNode
}

/** Filters that are always visible, also on a phone. */
const PRIMARY_FILTERS: ReadonlySet<string> = new Set(['userId', 'player', 'caseNumber', 'text'])

/** The filters of a record list. On a phone, most of them are behind a button, also while some apply: the list is what people open it for. */
export function RecordFilterBar({ filters, setFilters, available, isWide, children }: Props) {
  const { text, action, from, to, zone, actorId, severity, imported, status } = filters
  const secondaryCount = Object.keys(filters).filter(
    (name) => !PRIMARY_FILTERS.has(name) && name !== 'zone',
  ).length
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <search className={classes.bar} aria-label="Filters">
      <div className={classes.primary}>
        <PlayerFilter filters={filters} setFilters={setFilters} />
        <TextFilter text={text ?? ''} apply={(value) => setFilters({ text: value })} />
      </div>
      {isWide ? null : (
        <Group gap="xs" className={classes.tools}>
          <Button
            variant="default"
            onClick={toggle}
            aria-expanded={isOpen}
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          >
            {secondaryCount === 0 ? 'More filters' : `More filters (${secondaryCount})`}
          </Button>
          {children}
        </Group>
      )}
      {/* A phone renders the others, which take it as long as twenty rows, only when they are opened. */}
      {isOpen || isWide ? (
        <div className={classes.secondary}>
          {available.includes('action') ? (
            <ActionFilter
              label="Action"
              actions={recordActions.map((value) => ({ value, label: actionInfo[value].noun }))}
              value={action}
              apply={(value) => setFilters({ action: value })}
            />
          ) : null}
          <DayRangeFields range={{ from, to, zone }} setRange={setFilters} />
          <ActorFilter value={actorId ?? null} apply={(id) => setFilters({ actorId: id })} />
          <ChoiceFilter
            label="Severity"
            values={severities}
            value={severity}
            apply={(value) => setFilters({ severity: value })}
          />
          <ChoiceFilter
            label="Origin"
            values={['false', 'true']}
            toText={(value) => (value === 'true' ? 'Imported' : 'Not imported')}
            value={imported}
            apply={(value) => setFilters({ imported: value })}
          />
          {available.includes('status') ? (
            <ChoiceFilter
              label="Status"
              values={recordStatuses}
              value={status}
              apply={(value) => setFilters({ status: value })}
            />
          ) : null}
        </div>
      ) : null}
    </search>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly values: readonly string[]
  readonly value: string | undefined
  readonly apply: (value: string | undefined) => void
  readonly toText?: (value: string) => string
}

/** One of several values, or any. */
const ChoiceFilter = ({ label, values, value, apply, toText = toLabel }: ChoiceProps) => (
  <Select
    label={label}
    placeholder="Any"
    clearable
    clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
    data={values.map((choice) => ({ value: choice, label: toText(choice) }))}
    value={value ?? null}
    onChange={(choice) => apply(choice ?? undefined)}
  />
)
