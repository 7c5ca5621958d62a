import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { FormAlert } from '../../../components/form-alert.tsx'
import { useNow } from '../../../format/use-now.ts'
import { plainText } from '../../../forms/plain-text.ts'
import { Choices } from '../choices.tsx'
import type { KnownPlayer } from '../data.ts'
import { Standing } from '../standing.tsx'
import { isRestraint, labelOf, severities, verbs, wordsOf } from '../words.ts'
import classes from './act.module.css'
import { EXACT, lengthOf } from './length.ts'
import { LengthField } from './length-field.tsx'
import { tell } from './plan.ts'
import { Reasons } from './reasons.tsx'
import type { Acting } from './use-acting.ts'

interface Props {
  readonly userId: string
  readonly known: KnownPlayer | null
  readonly acting: Acting
  readonly onCancel: () => void
}

/** To whom, what, why and for how long; and what will come of it. */
export function ActForm({ userId, known, acting, onCancel }: Props) {
  const { form, submit, hasChanged } = acting
  const { permissions } = useWorkspace()
  const now = useNow()
  const { action, durationSeconds, until, severity, userUsername } = form.values
  const { label, severity: usual } = wordsOf[action]
  const told = tell(
    {
      action,
      userId,
      userUsername: userUsername.trim() || null,
      length: isRestraint(action) ? lengthOf(durationSeconds, until, now) : null,
      isExact: durationSeconds === EXACT,
      standing: known,
      mayLift: permissions.has('moderation.unban'),
    },
    now,
  )
  const set = (field: string) => (value: string) => {
    form.setFieldValue(field, value)
    form.clearFieldError(field)
  }
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <section aria-label="Player">
          <OtherNames known={known} />
          <Standing player={known} isCompact />
        </section>
        <Choices
          label="Action"
          name="action"
          options={verbs
            .filter((verb) => permissions.has(wordsOf[verb].permission))
            .map((verb) => ({ value: verb, label: wordsOf[verb].label }))}
          value={action}
          onChange={set('action')}
        />
        {isRestraint(action) ? (
          <LengthField
            kind={action}
            choice={durationSeconds}
            until={until}
            onChoice={set('durationSeconds')}
            onUntil={set('until')}
            choiceError={form.errors.durationSeconds}
            untilError={form.errors.until}
          />
        ) : null}
        <div>
          <Textarea
            label="Reason"
            autosize
            minRows={2}
            maxRows={6}
            data-autofocus
            {...form.getInputProps('reason')}
          />
          <Reasons action={action} onPick={set('reason')} />
        </div>
        <Choices
          label="Severity"
          name="severity"
          options={severities.map((one) => ({ value: one, label: labelOf(one) }))}
          value={(severity || usual) as (typeof severities)[number]}
          onChange={set('severity')}
          error={form.errors.severity}
        />
        <Textarea
          label="Evidence"
          description="Links or observations, one a line"
          autosize
          minRows={1}
          maxRows={6}
          {...form.getInputProps('evidence')}
        />
        <TextInput
          {...plainText}
          label="Name"
          description={
            nameNote(userUsername.trim(), known) ?? 'The name of the player at this time, where you know it'
          }
          autoComplete="off"
          {...form.getInputProps('userUsername')}
        />
      </Stack>
      <div className={classes.end}>
        <p className={classes.sentence} aria-live="polite">
          {told.sentence}
        </p>
        <p className={classes.warning} aria-live="polite">
          {told.warning ? (
            <>
              <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
              <span>{told.warning}</span>
            </>
          ) : null}
        </p>
        {hasChanged && submit.alert === '' ? (
          <p className={classes.warning} role="status">
            <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
            <span>How this player stands has just changed: see above what is in force now.</span>
          </p>
        ) : null}
        <FormAlert>{submit.alert}</FormAlert>
        <Group justify="flex-end" gap="sm" mt={submit.alert === '' ? 0 : 'sm'}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={action === 'ban' ? 'red' : 'green'}
            loading={submit.isBusy}
            disabled={told.isBarred}
          >
            {label} {userId}
          </Button>
        </Group>
      </div>
    </form>
  )
}

/** The id and newest name are the title, which stays in sight; these are the other names. */
function OtherNames({ known }: { readonly known: KnownPlayer | null }) {
  const names = known?.otherNames.slice(0, MAX_NAMES) ?? []
  if (names.length === 0) return null
  return (
    <p className={classes.also}>
      Also seen as{' '}
      {names.map((name, at) => (
        <span key={name}>
          {at === 0 ? '' : ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </p>
  )
}

const MAX_NAMES = 3

/** A name that this id was never seen with may be a slip: it is somebody else's, or a new one. */
function nameNote(name: string, known: KnownPlayer | null): string | null {
  if (name === '' || known?.userUsername == null) return null
  const names = [known.userUsername, ...known.otherNames].map((one) => one.toLocaleLowerCase())
  if (names.includes(name.toLocaleLowerCase())) return null
  return 'This id was never seen with this name before. Make sure that it is the right player.'
}
