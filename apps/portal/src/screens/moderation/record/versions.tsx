import { NativeSelect, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../../components/card.tsx'
import { formatRelativeTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import type { ActorNames, ModerationRecord, RecordHistory } from '../queries.ts'
import classes from './record.module.css'
import { diffRecords, summarizeChanges } from './version-diff.ts'

interface VersionOption {
  readonly revision: ModerationRecord
  readonly value: string
  readonly label: string
}

/** Two versions of a record side by side: the last change, until others are chosen. */
export function Versions({
  history,
  names,
}: {
  readonly history: RecordHistory
  readonly names: ActorNames
}) {
  const now = useNow()
  const [selected, setSelected] = useState<{ readonly left?: string; readonly right?: string }>({})
  const [isShowingUnchanged, setIsShowingUnchanged] = useState(false)
  const options = toVersionOptions(history, names, now)
  const newest = options.at(-1)
  const previousOption = options.at(-2)
  if (!newest || !previousOption) {
    return (
      <Card title="Versions">
        <Text size="sm" c="dimmed">
          This case was never changed. Each change keeps what was before, to be compared here.
        </Text>
      </Card>
    )
  }
  const left = options.find(({ value }) => value === selected.left) ?? previousOption
  const right = options.find(({ value }) => value === selected.right) ?? newest
  const rows = diffRecords(left.revision, right.revision).filter(
    ({ isChanged }) => isShowingUnchanged || isChanged,
  )
  const select = (position: 'left' | 'right', label: string, { value }: VersionOption) => (
    <NativeSelect
      label={label}
      data={options.map((option) => ({ value: option.value, label: option.label })).reverse()}
      value={value}
      onChange={(event) => setSelected({ ...selected, [position]: event.currentTarget.value })}
    />
  )
  return (
    <Card
      title="Versions"
      actions={
        <Switch
          label="Also what is the same"
          checked={isShowingUnchanged}
          onChange={(event) => setIsShowingUnchanged(event.currentTarget.checked)}
        />
      }
    >
      <div className={classes.sides}>
        {select('left', 'Before', left)}
        {select('right', 'After', right)}
      </div>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          These two say the same.
        </Text>
      ) : (
        <table className={classes.compare}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Version {left.value}</th>
              <th scope="col">Version {right.value}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} data-different={row.isChanged}>
                <th scope="row">{row.name}</th>
                <td>{row.left === '' ? '–' : <bdi>{row.left}</bdi>}</td>
                <td>{row.right === '' ? '–' : <bdi>{row.right}</bdi>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

/** Every version, the oldest first, each with who made it, when, and what of. */
function toVersionOptions(
  { record, versions }: RecordHistory,
  names: ActorNames,
  now: number,
): VersionOption[] {
  const revisions: readonly ModerationRecord[] = [...versions, record]
  return revisions.map((revision, index) => {
    const previous = versions[index - 1]
    const actor = previous
      ? (names.get(previous.replacedBy) ?? 'somebody')
      : (revision.actorUsername ?? 'somebody')
    const changedAt = formatRelativeTime(previous?.replacedAt ?? revision.createdAt, now)
    const changeSummary = previous ? summarizeChanges(previous, revision) : 'recorded'
    return {
      revision,
      value: revision.version,
      label: `${revision.version}: ${changeSummary}, by ${actor}, ${changedAt}`,
    }
  })
}
