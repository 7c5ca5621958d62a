import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import {
  CREATE_PERMISSIONS,
  DEFAULT_SEVERITY,
  isSanctionKind,
  LIFT_PERMISSIONS,
  recordActions,
  severities,
} from '@reeve/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { useNow } from '../../../format/use-now.ts'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { plainTextProps } from '../../../forms/plain-text.ts'
import { actionInfo, toLabel } from '../action-labels.ts'
import { ActiveSanctions } from '../player/active-sanctions.tsx'
import type { PlayerSummary } from '../queries.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import classes from './action-form.module.css'
import { previewAction } from './action-preview.ts'
import { parseDuration, UNTIL_DATE } from './duration.ts'
import { DurationField } from './duration-field.tsx'
import { RecentReasons } from './recent-reasons.tsx'
import type { ActionFormState } from './use-action-form.ts'

interface Props {
  readonly userId: string
  readonly player: PlayerSummary | null
  readonly formState: ActionFormState
  readonly onCancel: () => void
}

/** To whom, what, why and for how long; and what will come of it. */
export function ActionForm({ userId, player, formState, onCancel }: Props) {
  const { form, submit, hasChanged } = formState
  const { permissions } = useWorkspace()
  const now = useNow()
  const { action, durationSeconds, until, severity, userUsername } = form.values
  const { label } = actionInfo[action]
  const preview = previewAction(
    {
      action,
      userId,
      userUsername: userUsername.trim() || null,
      duration: isSanctionKind(action) ? parseDuration(durationSeconds, until, now) : null,
      isUntilDate: durationSeconds === UNTIL_DATE,
      player: player,
      canLift: isSanctionKind(action) && permissions.has(LIFT_PERMISSIONS[action]),
    },
    now,
  )
  const setField = (field: string) => (value: string) => {
    form.setFieldValue(field, value)
    form.clearFieldError(field)
  }
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <section aria-label="Player">
          <OtherNames player={player} />
          <ActiveSanctions player={player} isCompact />
        </section>
        <RadioButtons
          label="Action"
          name="action"
          options={recordActions
            .filter((option) => permissions.has(CREATE_PERMISSIONS[option]))
            .map((option) => ({ value: option, label: actionInfo[option].label }))}
          value={action}
          onChange={setField('action')}
        />
        {isSanctionKind(action) ? (
          <DurationField
            kind={action}
            choice={durationSeconds}
            until={until}
            onChoice={setField('durationSeconds')}
            onUntil={setField('until')}
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
          <RecentReasons action={action} onPick={setField('reason')} />
        </div>
        <RadioButtons
          label="Severity"
          name="severity"
          options={severities.map((severityOption) => ({
            value: severityOption,
            label: toLabel(severityOption),
          }))}
          value={(severity || DEFAULT_SEVERITY[action]) as (typeof severities)[number]}
          onChange={setField('severity')}
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
          {...plainTextProps}
          label="Name"
          description={
            describeName(userUsername.trim(), player) ??
            'The name of the player at this time, where you know it'
          }
          autoComplete="off"
          {...form.getInputProps('userUsername')}
        />
      </Stack>
      <div className={classes.end}>
        <p className={classes.sentence} aria-live="polite">
          {preview.summary}
        </p>
        <p className={classes.warning} aria-live="polite">
          {preview.warning ? (
            <>
              <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
              <span>{preview.warning}</span>
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
            disabled={preview.isForbidden}
          >
            {label} {userId}
          </Button>
        </Group>
      </div>
    </form>
  )
}

/** The id and newest name are the title, which stays in sight; these are the other names. */
function OtherNames({ player }: { readonly player: PlayerSummary | null }) {
  const names = player?.otherNames.slice(0, MAX_NAMES) ?? []
  if (names.length === 0) return null
  return (
    <p className={classes.also}>
      Also seen as{' '}
      {names.map((name, index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </p>
  )
}

const MAX_NAMES = 3

/** A name that this id was never seen with may be a slip: it is somebody else's, or a new one. */
function describeName(name: string, player: PlayerSummary | null): string | null {
  if (name === '' || player?.userUsername == null) return null
  const names = [player.userUsername, ...player.otherNames].map((knownName) => knownName.toLocaleLowerCase())
  if (names.includes(name.toLocaleLowerCase())) return null
  return 'This id was never seen with this name before. Make sure that it is the right player.'
}
