import { ActionIcon, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { isSanctionKind, MAX_LADDER_STEPS, type RecordAction, recordActions } from '@reeve/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { actionInfo, toLabel } from '../moderation/action-labels.ts'
import classes from './reasons.module.css'
import { createDraft, type DurationUnit, durationUnits, type StepDraft } from './step-drafts.ts'

interface Props {
  readonly drafts: readonly StepDraft[]
  readonly change: (drafts: readonly StepDraft[]) => void
  readonly hasError: boolean
}

const actionOptions = recordActions.toReversed().map((value) => ({ value, label: actionInfo[value].noun }))
const unitOptions = [...Object.keys(durationUnits), 'permanent'].map((value) => ({
  value,
  label: toLabel(value),
}))

/** The steps of a ladder as rows of fields. */
export function StepEditor({ drafts, change, hasError }: Props) {
  const replace = (key: number, fields: Partial<StepDraft>) =>
    change(drafts.map((draft) => (draft.key === key ? { ...draft, ...fields } : draft)))
  return (
    <>
      <ol className={classes.editor} aria-label="Steps">
        {drafts.map((draft, index) => (
          <Step
            key={draft.key}
            draft={draft}
            number={index + 1}
            hasError={hasError && index === 0}
            change={(fields) => replace(draft.key, fields)}
            remove={drafts.length > 1 ? () => change(drafts.filter(({ key }) => key !== draft.key)) : null}
          />
        ))}
      </ol>
      {drafts.length < MAX_LADDER_STEPS ? (
        <Button
          variant="default"
          mt="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => change([...drafts, createDraft(drafts)])}
        >
          Add step
        </Button>
      ) : null}
    </>
  )
}

interface StepProps {
  readonly draft: StepDraft
  readonly number: number
  readonly hasError: boolean
  readonly change: (fields: Partial<StepDraft>) => void
  readonly remove: (() => void) | null
}

function Step({ draft, number, hasError, change, remove }: StepProps) {
  const { count, action, amount, unit, decayDays } = draft
  const nameOf = (field: string) => `${field} of step ${number}`
  return (
    <li className={classes.step}>
      <TextInput
        label="From case"
        aria-label={nameOf('From case')}
        aria-invalid={hasError || undefined}
        inputMode="numeric"
        value={count}
        onChange={(event) => change({ count: event.currentTarget.value })}
      />
      <NativeSelect
        label="Action"
        aria-label={nameOf('Action')}
        data={actionOptions}
        value={action}
        onChange={(event) => change({ action: event.currentTarget.value as RecordAction })}
      />
      {isSanctionKind(action) ? (
        <Group gap={4} wrap="nowrap" align="end" className={classes.duration}>
          <TextInput
            label="For"
            className={classes.amount}
            aria-label={nameOf('Duration')}
            inputMode="numeric"
            value={unit === 'permanent' ? '' : amount}
            disabled={unit === 'permanent'}
            onChange={(event) => change({ amount: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label={nameOf('Unit of the duration')}
            className={classes.unit}
            data={unitOptions}
            value={unit}
            onChange={(event) => change({ unit: event.currentTarget.value as DurationUnit })}
          />
        </Group>
      ) : (
        <span className={classes.noDuration} />
      )}
      <TextInput
        label="Counts for days"
        aria-label={nameOf('Counts for days')}
        placeholder="All"
        inputMode="numeric"
        value={decayDays}
        onChange={(event) => change({ decayDays: event.currentTarget.value })}
      />
      <div className={classes.stepEnd}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          disabled={remove === null}
          aria-label={`Remove step ${number}`}
          onClick={() => remove?.()}
        >
          <IconTrash size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </div>
    </li>
  )
}
