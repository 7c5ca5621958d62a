import { NativeSelect, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../../components/card.tsx'
import { relativeTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import type { Entry, Names, WholeCase } from '../data.ts'
import classes from './case.module.css'
import { compare, summary } from './differences.ts'

interface Side {
  readonly entry: Entry
  readonly value: string
  readonly label: string
}

/** Two versions of a record side by side: the last change, until others are chosen. */
export function Versions({ whole, names }: { readonly whole: WholeCase; readonly names: Names }) {
  const now = useNow()
  const [chosen, setChosen] = useState<{ readonly left?: string; readonly right?: string }>({})
  const [isWhole, setIsWhole] = useState(false)
  const sides = sidesOf(whole, names, now)
  const newest = sides.at(-1)
  const before = sides.at(-2)
  if (!newest || !before) {
    return (
      <Card title="Versions">
        <Text size="sm" c="dimmed">
          This case was never changed. Each change keeps what was before, to be compared here.
        </Text>
      </Card>
    )
  }
  const left = sides.find(({ value }) => value === chosen.left) ?? before
  const right = sides.find(({ value }) => value === chosen.right) ?? newest
  const rows = compare(left.entry, right.entry).filter(({ isDifferent }) => isWhole || isDifferent)
  const select = (side: 'left' | 'right', label: string, { value }: Side) => (
    <NativeSelect
      label={label}
      data={sides.map((one) => ({ value: one.value, label: one.label })).reverse()}
      value={value}
      onChange={(event) => setChosen({ ...chosen, [side]: event.currentTarget.value })}
    />
  )
  return (
    <Card
      title="Versions"
      actions={
        <Switch
          label="Also what is the same"
          checked={isWhole}
          onChange={(event) => setIsWhole(event.currentTarget.checked)}
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
              <tr key={row.name} data-different={row.isDifferent}>
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
function sidesOf({ record, versions }: WholeCase, names: Names, now: number): Side[] {
  const entries: readonly Entry[] = [...versions, record]
  return entries.map((entry, at) => {
    const previous = versions[at - 1]
    const by = previous ? (names.get(previous.replacedBy) ?? 'somebody') : (entry.actorUsername ?? 'somebody')
    const when = relativeTime(previous?.replacedAt ?? entry.createdAt, now)
    const what = previous ? summary(previous, entry) : 'recorded'
    return { entry, value: entry.version, label: `${entry.version}: ${what}, by ${by}, ${when}` }
  })
}
