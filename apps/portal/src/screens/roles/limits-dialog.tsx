import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  DAY_SECONDS,
  HOUR_SECONDS,
  MAX_BANS_PER_HOUR,
  type RoleLimits,
  type Severity,
  severities,
} from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { listLimits, writeLimits } from '../../format/limits.ts'
import { formatDuration } from '../../format/time.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditConflict } from '../../forms/edit-conflict.tsx'
import { useEditConflict } from '../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { useVersionedSave } from '../../forms/use-versioned-save.ts'
import { invalidateRoles, type Role, readLatestRole } from './queries.ts'

const NO_LIMIT = 'No limit'
const NEVER_REQUIRED = 'Never required'

/** In seconds. */
const durations: readonly number[] = [
  ...[HOUR_SECONDS, 6 * HOUR_SECONDS, DAY_SECONDS, 3 * DAY_SECONDS, 7 * DAY_SECONDS, 14 * DAY_SECONDS],
  ...[30 * DAY_SECONDS, 90 * DAY_SECONDS, 180 * DAY_SECONDS, 365 * DAY_SECONDS],
]

/** The durations to choose from, with those that were set through the API. */
const durationChoices = (...others: readonly (number | null)[]) => [
  { value: '', label: NO_LIMIT },
  ...[...new Set([...durations, ...others.filter((seconds) => seconds !== null)])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: formatDuration(seconds) })),
]

const severityChoices = (none: string) => [
  { value: '', label: none },
  ...severities.map((severity) => ({ value: severity as string, label: severity })),
]

const labels = {
  longestBanSeconds: 'Longest ban',
  longestMuteSeconds: 'Longest mute',
  highestSeverity: 'Highest severity',
  bansPerHour: 'Bans per hour',
  evidenceFromSeverity: 'Evidence required from severity',
  permanentBansNeedApproval: 'Permanent bans need the approval of another person',
} as const satisfies Record<keyof RoleLimits, string>

/** The limits as fields of the form. */
const toValues = (limits: RoleLimits) => ({
  longestBanSeconds: String(limits.longestBanSeconds ?? ''),
  longestMuteSeconds: String(limits.longestMuteSeconds ?? ''),
  highestSeverity: limits.highestSeverity ?? '',
  bansPerHour: String(limits.bansPerHour ?? ''),
  evidenceFromSeverity: limits.evidenceFromSeverity ?? '',
  permanentBansNeedApproval: String(limits.permanentBansNeedApproval),
})
type Values = ReturnType<typeof toValues>

const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const toLimits = (values: Values): RoleLimits => ({
  longestBanSeconds: toNumber(values.longestBanSeconds),
  longestMuteSeconds: toNumber(values.longestMuteSeconds),
  highestSeverity: (values.highestSeverity || null) as Severity | null,
  bansPerHour: toNumber(values.bansPerHour),
  evidenceFromSeverity: (values.evidenceFromSeverity || null) as Severity | null,
  permanentBansNeedApproval: values.permanentBansNeedApproval === 'true',
})

function formatValue(name: keyof Values, value: string): string {
  if (name === 'permanentBansNeedApproval') return value === 'true' ? 'Yes' : 'No'
  if (name === 'bansPerHour') return value
  if (value === '') return name === 'evidenceFromSeverity' ? NEVER_REQUIRED : NO_LIMIT
  return name === 'highestSeverity' || name === 'evidenceFromSeverity' ? value : formatDuration(Number(value))
}

interface Props {
  /** The role to limit; null while the dialog is closed. */
  readonly role: Role | null
  readonly close: () => void
}

/** Limits what the members of a role may do with its permissions. */
export const LimitsDialog = ({ role, close }: Props) => (
  <Dialog
    opened={role !== null}
    onClose={close}
    title={`Limits of “${role?.name ?? ''}”`}
    closeOnClickOutside={false}
  >
    {role === null ? null : <LimitsForm key={role.id} role={role} close={close} />}
  </Dialog>
)

function LimitsForm({ role, close }: { readonly role: Role; readonly close: () => void }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const form = useForm<Values>({ mode: 'controlled', initialValues: toValues(role.limits) })
  const limits = toLimits(form.values)
  const conflict = useEditConflict(form, labels, formatValue)
  const save = useVersionedSave({
    opened: role,
    readLatest: () => readLatestRole(client, workspaceId, role.id),
    report: (before, theirs) => conflict.report('role', toValues(before.limits), toValues(theirs.limits)),
  })
  const submit = useSubmit(form, labels, async (values) => {
    const body = {
      workspaceId,
      id: role.id,
      ...writeLimits(toLimits(values)),
      // As typed, so that the error of the server names it.
      bansPerHour: values.bansPerHour.trim() || null,
    }
    await save(({ version }) => unwrap(api.PATCH('/portal/api/roles', { body, headers: ifMatch(version) })))
    await invalidateRoles(client, workspaceId)
    close()
    notifySuccess(`Saved the limits of the role “${role.name}”.`)
  })
  const field = (name: Exclude<keyof Values, 'permanentBansNeedApproval'>) => ({
    label: labels[name],
    name,
    ...form.getInputProps(name),
  })
  // What is stored may not be among the durations, and neither may what the user keeps after somebody else has changed it.
  const duration = (name: 'longestBanSeconds' | 'longestMuteSeconds') => ({
    ...field(name),
    data: durationChoices(role.limits[name], limits[name]),
  })
  return (
    <DialogForm submit={submit} submitLabel="Save limits">
      <NativeSelect {...duration('longestBanSeconds')} />
      <Checkbox
        label={labels.permanentBansNeedApproval}
        description="They take effect for a limited time, until another person approves or rejects them. A ban longer than a year counts as permanent."
        checked={limits.permanentBansNeedApproval}
        onChange={(event) =>
          form.setFieldValue('permanentBansNeedApproval', String(event.currentTarget.checked))
        }
      />
      <TextInput
        {...field('bansPerHour')}
        description={`Of one person, with all of their API keys. 1 to ${MAX_BANS_PER_HOUR}; empty for no limit.`}
        inputMode="numeric"
        autoComplete="off"
      />
      <NativeSelect {...duration('longestMuteSeconds')} />
      <NativeSelect {...field('highestSeverity')} data={severityChoices(NO_LIMIT)} />
      <NativeSelect {...field('evidenceFromSeverity')} data={severityChoices(NEVER_REQUIRED)} />
      <Text size="sm" role="status">
        {describe(limits)}
      </Text>
      <EditConflict {...conflict} />
    </DialogForm>
  )
}

function describe(limits: RoleLimits): string {
  const phrases = listLimits(limits)
  const effect =
    phrases.length === 0
      ? 'Members can use the permissions of this role without limits.'
      : `With the permissions of this role, members can do at most: ${phrases.join(', ')}.`
  return `${effect} Of several roles that grant a permission, the widest limits apply. A stricter limit also applies to the API keys that members have created.`
}
