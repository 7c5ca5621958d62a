import { Text, TextInput } from '@mantine/core'
import { type LadderStep, simulateLadder } from '@reeve/core'
import { useState } from 'react'
import { pluralize } from '../../format/number.ts'
import { formatMeasure } from '../moderation/templates/format-measure.ts'
import classes from './reasons.module.css'
import { areComplete } from './step-drafts.ts'

interface Props {
  readonly steps: readonly LadderStep[]
  /** Null without a window, NaN if what was entered is no number. */
  readonly windowDays: number | null
}

const INITIAL_DAYS = '0, 1, 7, 45'

/** More than anybody reads. */
const MAX_CASES = 30

/** Days as entered, separated by commas or spaces; null if one is no number. */
function parseDays(text: string): number[] | null {
  const days = text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(Number)
  return days.every((day) => Number.isInteger(day) && day >= 0) ? days.slice(0, MAX_CASES) : null
}

/** What the ladder, as entered, decides for a player with cases on some days. */
export function Simulator({ steps, windowDays }: Props) {
  const [text, setText] = useState(INITIAL_DAYS)
  const days = parseDays(text)
  const isReady = areComplete(steps) && (windowDays === null || windowDays > 0)
  const cases = isReady && days !== null ? simulateLadder({ steps, windowDays }, days) : []
  return (
    <section className={classes.simulator} aria-label="Simulator">
      <TextInput
        label="Try it: a player has cases on these days"
        description="Days from the first case, separated by commas"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={days === null ? 'Enter whole numbers, such as 0, 1, 7.' : null}
      />
      {isReady ? (
        <ol className={classes.simulation} aria-label="What happens" aria-live="polite">
          {cases.map(({ day, counted, step, number }, index) => (
            <li key={index}>
              Day {day}: <strong>{formatMeasure(step)}</strong> (step {number};{' '}
              {pluralize(counted, 'earlier case counts', 'earlier cases count')})
            </li>
          ))}
        </ol>
      ) : (
        <Text size="sm" mt="xs">
          Complete the steps to see what happens. The first one applies from case 1.
        </Text>
      )}
    </section>
  )
}
