import { MultiSelect } from '@mantine/core'
import { joinValues, splitValues } from '../record-filters.ts'
import classes from './action-filter.module.css'

interface Props {
  readonly label: string
  readonly actions: readonly { readonly value: string; readonly label: string }[]
  /** Actions, separated by commas. */
  readonly value: string | undefined
  readonly apply: (actions: string | undefined) => void
}

/** Any of several actions. */
export function ActionFilter({ label, actions, value, apply }: Props) {
  const selected = splitValues(value)
  return (
    <MultiSelect
      className={classes.field ?? ''}
      label={label}
      placeholder={selected.length === 0 ? 'Any' : ''}
      clearable
      clearButtonProps={{ 'aria-label': 'Any action' }}
      data={[...actions]}
      value={selected}
      onChange={(values) => apply(joinValues(values))}
    />
  )
}
