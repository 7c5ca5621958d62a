import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { linkConfidences } from '@reeve/core'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { EditConflict } from '../../../forms/edit-conflict.tsx'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import { useEditConflict } from '../../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useVersionedSave } from '../../../forms/use-versioned-save.ts'
import type { PlayerLink } from '../queries.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { readLink, submitLink } from '../teamwork/queries.ts'

interface Props {
  readonly workspaceId: string
  readonly userId: string
  /** The link to change; null for a new one. */
  readonly link: PlayerLink | null
  readonly close: () => void
}

const labels = { linkedUserId: 'Player ID', confidence: 'Confidence', reason: 'Reason' }
const changeable = { confidence: labels.confidence, reason: labels.reason }
const confidenceLabels = { low: 'Low', medium: 'Medium', high: 'High' } as const

const toValues = (link: PlayerLink | null) => ({
  linkedUserId: link?.linkedUserId ?? '',
  confidence: link?.confidence ?? 'medium',
  reason: link?.reason ?? '',
})

const formatValue = (name: string, value: string): string =>
  name === 'confidence' ? confidenceLabels[value as keyof typeof confidenceLabels] : value

/** Says that two players may be the same person. */
export function LinkForm({ workspaceId, userId, link, close }: Props) {
  const form = useForm({ mode: 'controlled', initialValues: toValues(link) })
  const conflict = useEditConflict(form, changeable, formatValue)
  const save = useVersionedSave({
    opened: link,
    readLatest: () => readLink(workspaceId, link?.id ?? ''),
    report: (before, theirs) => conflict.report('link', toValues(before), toValues(theirs)),
  })
  const submit = useSubmit(form, labels, async ({ linkedUserId, confidence, reason }) => {
    await save((edited) =>
      submitLink(
        workspaceId,
        edited
          ? { action: 'update', id: edited.id, confidence, reason }
          : { userId, linkedUserId: linkedUserId.trim(), confidence, reason },
        edited?.version,
      ),
    )
    notifySuccess(link ? 'Changed the link.' : `Linked ${userId} and ${linkedUserId.trim()}.`)
    close()
  })
  return (
    <DialogForm submit={submit} submitLabel={link ? 'Change link' : 'Link players'} writesTo="moderation">
      {link ? null : (
        <TextInput
          {...plainTextProps}
          label={labels.linkedUserId}
          description="The other player, by the ID on the game platform."
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('linkedUserId')}
        />
      )}
      <RadioButtons
        label={labels.confidence}
        name="confidence"
        options={linkConfidences.map((value) => ({ value, label: confidenceLabels[value] }))}
        value={form.values.confidence}
        onChange={(value) => form.setFieldValue('confidence', value)}
        error={form.errors.confidence}
      />
      <Textarea
        label={labels.reason}
        description="What suggests that they are the same person."
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('reason')}
      />
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
