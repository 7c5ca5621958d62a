import { useForm } from '@mantine/form'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { useNow } from '../../../format/use-now.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import classes from '../act/act.module.css'
import { MomentField } from '../act/length-field.tsx'
import { Choices } from '../choices.tsx'
import type { Entry } from '../data.ts'
import { act } from '../deeds.ts'
import { inWords } from '../in-words.ts'
import { sayUntil, sayUntilLeft } from '../when.ts'
import { isRestraint, wordsOf } from '../words.ts'
import { deedFor, type EndChange, endOptions, forbiddenIn, newEndOf } from './new-end.ts'

interface Props {
  readonly record: Entry
  /** The player, by id and newest name. */
  readonly who: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Moves the end of a ban or mute in force. */
export const EndDialog = ({ record, who, isOpen, onClose }: Props) => (
  <Dialog
    opened={isOpen}
    onClose={onClose}
    title={`When does the ${record.action} of ${who} end?`}
    closeOnClickOutside={false}
  >
    <EndForm record={record} who={who} onClose={onClose} />
  </Dialog>
)

const labels = { durationSeconds: 'The new end', until: 'Until' }

function EndForm({ record, who, onClose }: Omit<Props, 'isOpen'>) {
  const { id: workspaceId, permissions } = useWorkspace()
  const now = useNow()
  const form = useForm({ mode: 'controlled', initialValues: { durationSeconds: '', until: '' } })
  const { action, version, caseNumber } = record
  const end = newEndOf(record, form.values.durationSeconds, form.values.until, now)
  const barred = end.problem ? null : forbiddenIn(record, end, permissions)

  const submit = useSubmit(form, labels, async ({ durationSeconds, until }) => {
    const wanted = newEndOf(record, durationSeconds, until, Date.now())
    if (wanted.problem) throw new ApiError(400, 'invalid_request', '', { details: [wanted.problem] })
    const changed = await inWords(workspaceId, () => act(workspaceId, deedFor(record, wanted), version))
    onClose()
    const noun = isRestraint(action) ? wordsOf[action].noun : 'It'
    tellDone(`${noun} of ${who} now holds ${sayUntil(changed.expiresAt, Date.now())}. Case ${caseNumber}.`)
  })
  return (
    <DialogForm submit={submit} cancel={onClose} action="Change the end" isDisabled={barred !== null}>
      <div>Now it holds {sayUntilLeft(record.expiresAt, now)}.</div>
      <Choices
        label={labels.durationSeconds}
        name="end"
        options={endOptions(record)}
        value={form.values.durationSeconds}
        onChange={(value) => form.setFieldValue('durationSeconds', value)}
        error={form.errors.durationSeconds}
      >
        {form.values.durationSeconds === 'exact' ? (
          <MomentField
            label={labels.until}
            value={form.values.until}
            onChange={(value) => form.setFieldValue('until', value)}
            error={form.errors.until}
          />
        ) : null}
      </Choices>
      <p className={classes.sentence} aria-live="polite">
        {sentence(record, who, end, now)}
      </p>
      {barred ? <p className={classes.warning}>{barred}</p> : null}
    </DialogForm>
  )
}

function sentence(record: Entry, who: string, end: EndChange, now: number): string {
  if (end.problem) return 'Choose when it is to end.'
  const before = sayUntil(record.expiresAt, now)
  return `The ${record.action} of ${who} holds ${sayUntil(end.at, now)} instead of ${before}.`
}
