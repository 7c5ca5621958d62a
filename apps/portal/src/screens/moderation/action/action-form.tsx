import { Button, Stack, Text } from '@mantine/core'
import {
  CREATE_PERMISSIONS,
  DEFAULT_SEVERITY,
  isSanctionKind,
  LIFT_PERMISSIONS,
  recordActions,
  type Severity,
} from '@reeve/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { CancelButton } from '../../../components/cancel-button.tsx'
import { useDialogLock } from '../../../components/dialog-context.ts'
import { DialogFooter } from '../../../components/dialog-footer.tsx'
import { BlockedAlert, WriteGuard } from '../../../components/endpoint-state.tsx'
import { useNow } from '../../../format/use-now.ts'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { actionInfo } from '../action-labels.ts'
import { StagedFiles } from '../evidence/staged-files.tsx'
import { ActiveSanctions } from '../player/active-sanctions.tsx'
import { OtherNames } from '../player/other-names.tsx'
import { PinnedNotesInDialog } from '../player/pinned-notes.tsx'
import { ProfileLink } from '../player/profile-link.tsx'
import type { PlayerSummary } from '../queries.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { type EditableField, editableFields, RecordFieldInput } from '../record-fields.tsx'
import classes from './action-form.module.css'
import { previewAction } from './action-preview.ts'
import { parseDuration, UNTIL_DATE } from './duration.ts'
import { DurationField } from './duration-field.tsx'
import { useOwnLimits } from './own-limits.ts'
import { chooseDefaultSeverity, previewLimits } from './preview-limits.ts'
import { RecentReasons } from './recent-reasons.tsx'
import { handleTemplateKey, TemplateChoice } from './template-choice.tsx'
import { describeReason, explainDeviation, toPlannedMeasure } from './template-deviation.ts'
import { TemplateOutcome } from './template-outcome.tsx'
import type { ActionFormState } from './use-action-form.ts'
import { compareToLadder } from './use-template.ts'

/** How many other names are shown. */
const MAX_NAMES = 3

interface Props {
  readonly userId: string
  readonly player: PlayerSummary | null
  readonly formState: ActionFormState
}

/** The form for acting on a player, with a preview of what will happen. */
export function ActionForm({ userId, player, formState }: Props) {
  const { form, submit, hasChanged, template, files, setFiles } = formState
  const { id: workspaceId, permissions } = useWorkspace()
  useDialogLock(submit.isBusy)
  const ownLimits = useOwnLimits(workspaceId)
  const now = useNow()
  const { templateId, action, durationSeconds, until, severity, userUsername } = form.values
  const { templates, chosen, decided } = template
  const { label } = actionInfo[action]
  const duration = isSanctionKind(action) ? parseDuration(durationSeconds, until, now) : null
  const measure = toPlannedMeasure(action, duration)
  const deviation = explainDeviation(decided, measure, permissions)
  const usualSeverity = (chosen?.defaultSeverity ?? DEFAULT_SEVERITY[action]) as Severity
  const defaultSeverity = chooseDefaultSeverity(ownLimits.get(action), usualSeverity)
  const limits = previewLimits(
    ownLimits,
    {
      action,
      seconds: duration && !duration.problem ? duration.seconds : undefined,
      severity: (severity || defaultSeverity) as Severity,
      hasEvidence: form.values.evidence.trim() !== '' || files.length > 0,
    },
    now,
  )
  const preview = previewAction(
    {
      action,
      userId,
      userUsername: userUsername.trim() || null,
      duration,
      isUntilDate: durationSeconds === UNTIL_DATE,
      player,
      canLift: isSanctionKind(action) && permissions.has(LIFT_PERMISSIONS[action]),
      approvalHours: limits.needsApproval ? ownLimits.approvalHours : null,
    },
    now,
  )
  const nameWarning = warnOfNewName(userUsername.trim(), player)
  const inputOverrides: Partial<Record<EditableField, object>> = {
    severity: { value: severity || defaultSeverity },
    reason: chosen === null ? {} : { description: describeReason(compareToLadder(decided, measure)) },
    userUsername: nameWarning === null ? {} : { description: nameWarning },
  }
  const setField = (field: string) => (value: string) => {
    form.setFieldValue(field, value)
    form.clearFieldError(field)
  }
  const otherNames = player?.otherNames.slice(0, MAX_NAMES) ?? []
  return (
    <form
      onSubmit={submit.onSubmit}
      onKeyDown={(event) => handleTemplateKey(event, templates, template.choose)}
      noValidate
    >
      <Stack gap="md">
        <section aria-label="Player">
          <p className={classes.otherNames}>
            <ProfileLink userId={userId} />
            {otherNames.length > 0 ? ' · ' : null}
            <OtherNames names={otherNames} />
          </p>
          <PinnedNotesInDialog userId={userId} />
          <ActiveSanctions player={player} isCompact />
        </section>
        {templates.length > 0 ? (
          <TemplateChoice templates={templates} value={templateId} onChange={template.choose} />
        ) : null}
        <TemplateOutcome template={template} />
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
            extraSeconds={decided?.action === action ? decided.durationSeconds : null}
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
            {name === 'reason' && chosen === null ? (
              <RecentReasons action={action} onPick={setField(name)} />
            ) : null}
          </div>
        ))}
        {permissions.has('moderation.evidence') ? <StagedFiles files={files} onChange={setFiles} /> : null}
        <DialogFooter
          note={
            <>
              {limits.note === '' ? null : <p className={classes.limits}>{limits.note}</p>}
              <p className={classes.summary} aria-live="polite">
                {preview.summary}
              </p>
              <p className={classes.warning} aria-live="polite">
                {(limits.refusal ?? preview.warning) ? (
                  <>
                    <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
                    <span>{limits.refusal ?? preview.warning}</span>
                  </>
                ) : null}
              </p>
              {deviation === null ? null : (
                <p className={classes.warning} role="status">
                  <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
                  <span>{deviation.text}</span>
                </p>
              )}
              {hasChanged ? (
                <p className={classes.warning} role="status">
                  <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
                  <span>This player’s sanctions have just changed. Check the current state above.</span>
                </p>
              ) : null}
              <BlockedAlert endpoint="moderation" />
              <FormAlert>{submit.alert}</FormAlert>
            </>
          }
        >
          <CancelButton isBusy={submit.isBusy} />
          <WriteGuard endpoint="moderation">
            <Button
              type="submit"
              color={action === 'ban' ? 'red' : 'green'}
              loading={submit.isBusy}
              disabled={preview.isForbidden || deviation?.isForbidden === true || limits.refusal !== null}
            >
              <Text span inherit truncate>
                {action === 'note' ? 'Add note to' : label} {userId}
              </Text>
            </Button>
          </WriteGuard>
        </DialogFooter>
      </Stack>
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
