import { NativeSelect, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../../components/card.tsx'
import { useFormatTime } from '../../../components/formatted-time.tsx'
import { MentionText } from '../../../components/mention-text.tsx'
import { UNKNOWN_ACTOR } from '../badges.tsx'
import type { ActorNames, RecordHistory, RecordRevision } from '../queries.ts'
import classes from './record.module.css'
import { diffRecords, summarizeChanges } from './version-diff.ts'

interface VersionOption {
  readonly revision: RecordRevision
  readonly value: string
  readonly label: string
}

/** Compares two versions of a record: by default, the last change. */
export function Versions({
  history,
  names,
}: {
  readonly history: RecordHistory
  readonly names: ActorNames
}) {
  const formatTime = useFormatTime()
  const [selected, setSelected] = useState<{ readonly left?: string; readonly right?: string }>({})
  const [isShowingUnchanged, setIsShowingUnchanged] = useState(false)
  const options = toVersionOptions(history, names, formatTime)
  const newest = options.at(-1)
  const previousOption = options.at(-2)
  if (!newest || !previousOption) {
    return (
      <Card title="Versions">
        <Text size="sm" c="dimmed">
          This case has never been changed. After a change, its versions can be compared here.
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
          label="Show unchanged fields"
          checked={isShowingUnchanged}
          onChange={(event) => setIsShowingUnchanged(event.currentTarget.checked)}
        />
      }
    >
      <div className={classes.versionSelects}>
        {select('left', 'Before', left)}
        {select('right', 'After', right)}
      </div>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No differences.
        </Text>
      ) : (
        <table className={classes.diffTable}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Version {left.value}</th>
              <th scope="col">Version {right.value}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.label} data-changed={row.isChanged}>
                <th scope="row">{row.label}</th>
                <td>{row.left === '' ? '–' : <MentionText text={row.left} />}</td>
                <td>{row.right === '' ? '–' : <MentionText text={row.right} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

/** Every version, oldest first, labeled with what changed, by whom and when. */
function toVersionOptions(
  { record, versions }: RecordHistory,
  names: ActorNames,
  formatTime: ReturnType<typeof useFormatTime>,
): VersionOption[] {
  const revisions: readonly RecordRevision[] = [...versions, record]
  return revisions.map((revision, index) => {
    const previous = versions[index - 1]
    const actor = previous
      ? (findRevoker(previous, revision) ?? names.get(previous.replacedBy) ?? UNKNOWN_ACTOR)
      : (revision.actorUsername ?? UNKNOWN_ACTOR)
    const changedAt = formatTime(previous?.replacedAt ?? revision.createdAt)
    const changeSummary = previous ? summarizeChanges(previous, revision) : 'recorded'
    return {
      revision,
      value: revision.version,
      label: `${revision.version}: ${changeSummary}, by ${actor}, ${changedAt}`,
    }
  })
}

/** The name of who lifted or revoked the record with this change, maybe through an API key; null for another change. */
const findRevoker = (before: RecordRevision, after: RecordRevision): string | null =>
  before.revokedAt === after.revokedAt ? null : after.revokedByUsername
