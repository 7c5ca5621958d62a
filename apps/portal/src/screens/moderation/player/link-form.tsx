import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { linkConfidences } from '@reeve/core'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import type { PlayerLink } from '../queries.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { submitLink } from '../teamwork/queries.ts'

interface Props {
  readonly workspaceId: string
  readonly userId: string
  /** The link to change; null for a new one. */
  readonly link: PlayerLink | null
  readonly close: () => void
}

const labels = { linkedUserId: 'Player ID', confidence: 'Confidence', reason: 'Reason' }
const confidenceLabels = { low: 'Low', medium: 'Medium', high: 'High' } as const

/** Says that two players may be the same person. */
export function LinkForm({ workspaceId, userId, link, close }: Props) {
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      linkedUserId: link?.linkedUserId ?? '',
      confidence: link?.confidence ?? 'medium',
      reason: link?.reason ?? '',
    },
  })
  const submit = useSubmit(form, labels, async ({ linkedUserId, confidence, reason }) => {
    await submitLink(
      workspaceId,
      link
        ? { action: 'update', id: link.id, confidence, reason }
        : { userId, linkedUserId: linkedUserId.trim(), confidence, reason },
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
    </DialogForm>
  )
}
