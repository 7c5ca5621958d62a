import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { pluralize } from '../../format/number.ts'
import classes from './audit.module.css'
import { type AuditEntry, toSnapshot } from './audit-data.ts'
import { diffFields, type FieldChange, formatFieldName } from './field-changes.ts'

/** A record before and after a change, side by side. Unchanged fields are hidden at first. */
export function Changes({ changes, targetKind }: Pick<AuditEntry, 'changes' | 'targetKind'>) {
  const [showsAll, setShowsAll] = useState(false)
  if (changes === null) {
    return (
      <Text size="sm" c="dimmed">
        The content was permanently redacted. Who made the change, and when, is still recorded.
      </Text>
    )
  }
  const [before, after] = [toSnapshot(changes.before), toSnapshot(changes.after)]
  const all = diffFields(targetKind, changes)
  const isOneSided = before === null || after === null
  const changed = all.filter(({ isChanged }) => isChanged)
  const visibleFields = showsAll || isOneSided ? all : changed
  if (all.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No details were logged.
      </Text>
    )
  }
  return (
    <>
      {visibleFields.length === 0 ? (
        <Text size="sm" c="dimmed">
          No fields changed.
        </Text>
      ) : (
        <dl className={classes.changes} data-one-sided={isOneSided || undefined}>
          {isOneSided ? null : (
            <div className={classes.head} aria-hidden>
              <span />
              <span>Before</span>
              <span>After</span>
            </div>
          )}
          {visibleFields.map((change) => (
            <div key={change.field} className={classes.field}>
              <dt>{formatFieldName(change.field)}</dt>
              {before === null ? null : (
                <Side change={change} side="before" isEmphasized={!isOneSided && change.isChanged} />
              )}
              {after === null ? null : (
                <Side change={change} side="after" isEmphasized={!isOneSided && change.isChanged} />
              )}
            </div>
          ))}
        </dl>
      )}
      {isOneSided || changed.length === all.length ? null : (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setShowsAll(!showsAll)}>
          {showsAll
            ? 'Show changed fields only'
            : `Show ${pluralize(all.length - changed.length, 'unchanged field')}`}
        </Button>
      )}
    </>
  )
}

interface SideProps {
  readonly change: FieldChange
  readonly side: 'before' | 'after'
  readonly isEmphasized: boolean
}

function Side({ change, side, isEmphasized }: SideProps) {
  const { [side]: lines, unchangedItems } = change
  const others = new Set(change[side === 'before' ? 'after' : 'before'])
  return (
    <dd data-side={isEmphasized ? side : undefined}>
      {isEmphasized ? (
        <span className={classes.side}>{side === 'before' ? 'Before: ' : 'After: '}</span>
      ) : null}
      {lines.length === 0 && unchangedItems === 0 ? <span className={classes.empty}>empty</span> : null}
      {lines.map((line, index) => (
        <span
          key={index}
          className={classes.line}
          data-same={(lines.length > 1 && others.has(line)) || undefined}
        >
          <bdi>{line}</bdi>
        </span>
      ))}
      {unchangedItems === 0 ? null : (
        <span className={classes.line} data-same>
          {lines.length === 0 ? pluralize(unchangedItems, 'item') : `and ${unchangedItems} unchanged`}
        </span>
      )}
    </dd>
  )
}
