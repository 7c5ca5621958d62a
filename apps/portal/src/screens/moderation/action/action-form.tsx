import { Button, Group, Stack } from '@mantine/core'
import {
  CREATE_PERMISSIONS,
  DEFAULT_SEVERITY,
  isSanctionKind,
  LIFT_PERMISSIONS,
  recordActions,
} from '@reeve/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { BlockedAlert, WriteGuard } from '../../../components/endpoint-state.tsx'
import { useNow } from '../../../format/use-now.ts'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { actionInfo } from '../action-labels.ts'
import { ActiveSanctions } from '../player/active-sanctions.tsx'
import { OtherNames } from '../player/other-names.tsx'
import { ProfileLink } from '../player/profile-link.tsx'
import type { PlayerSummary } from '../queries.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { type EditableField, editableFields, RecordFieldInput } from '../record-fields.tsx'
import classes from './action-form.module.css'
import { previewAction } from './action-preview.ts'
import { parseDuration, UNTIL_DATE } from './duration.ts'
import { DurationField } from './duration-field.tsx'
import { RecentReasons } from './recent-reasons.tsx'
import type { ActionFormState } from './use-action-form.ts'

/** How many other names are shown. */
const MAX_NAMES = 3

interface Props {
  readonly userId: string
  readonly player: PlayerSummary | null
  readonly formState: ActionFormState
  readonly onCancel: () => void
}

/** The form for acting on a player, with a preview of what will happen. */
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
      player,
      canLift: isSanctionKind(action) && permissions.has(LIFT_PERMISSIONS[action]),
    },
    now,
  )
  const nameWarning = warnOfNewName(userUsername.trim(), player)
  const inputOverrides: Partial<Record<EditableField, object>> = {
    severity: { value: severity || DEFAULT_SEVERITY[action] },
    userUsername: nameWarning === null ? {} : { description: nameWarning },
  }
  const setField = (field: string) => (value: string) => {
    form.setFieldValue(field, value)
    form.clearFieldError(field)
  }
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <section aria-label="Player">
          <p className={classes.otherNames}>
            <ProfileLink userId={userId} />{' '}
            <OtherNames names={player?.otherNames.slice(0, MAX_NAMES) ?? []} />
          </p>
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
        {editableFields.map((name) => (
          <div key={name}>
            <RecordFieldInput name={name} {...form.getInputProps(name)} {...inputOverrides[name]} />
            {name === 'reason' ? <RecentReasons action={action} onPick={setField(name)} /> : null}
          </div>
        ))}
      </Stack>
      <div className={classes.footer}>
        <p className={classes.summary} aria-live="polite">
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
            <span>This player’s sanctions have just changed. Check the current state above.</span>
          </p>
        ) : null}
        <BlockedAlert endpoint="moderation" />
        <FormAlert>{submit.alert}</FormAlert>
        <Group justify="flex-end" gap="sm" mt={submit.alert === '' ? 0 : 'sm'}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <WriteGuard endpoint="moderation">
            <Button
              type="submit"
              color={action === 'ban' ? 'red' : 'green'}
              loading={submit.isBusy}
              disabled={preview.isForbidden}
            >
              {label} {userId}
            </Button>
          </WriteGuard>
        </Group>
      </div>
    </form>
  )
}

/** Warns if a name was never recorded for the id, which may mean that the id or the name is wrong. */
function warnOfNewName(name: string, player: PlayerSummary | null): string | null {
  if (name === '' || player?.userUsername == null) return null
  const names = [player.userUsername, ...player.otherNames].map((knownName) => knownName.toLocaleLowerCase())
  if (names.includes(name.toLocaleLowerCase())) return null
  return 'This name has never been recorded for this ID. Check that it is the right player.'
}
