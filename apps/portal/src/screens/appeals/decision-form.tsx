import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type AppealDecision, DAY_MS, describeDecision, expiresBefore } from '@reeve/core'
import { useWorkspace } from '../../api/me.ts'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { UnsavedText } from '../../components/unsaved-text.tsx'
import { pluralize } from '../../format/number.ts'
import { formatPlayerName } from '../../format/player-name.ts'
import { formatDateTime } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { type AppealDetails, decideAppeal } from './appeal-data.ts'

const labels = { decision: 'Decision', message: 'Message', days: 'End', isFinal: 'Final' }

const choices: readonly { readonly value: AppealDecision; readonly label: string }[] = [
  { value: 'accepted', label: 'Accept: lift the ban' },
  { value: 'reduced', label: 'Shorten the ban' },
  { value: 'denied', label: 'Deny: keep the ban' },
]

/** What the button does to the ban of the player. */
const submitLabels: Readonly<Record<AppealDecision, string>> = {
  accepted: 'Lift the ban of',
  reduced: 'Shorten the ban of',
  denied: 'Keep the ban of',
}

/** In how many days from now a shortened ban may end. */
const DAYS = [1, 3, 7, 14, 30, 60, 90, 180]

/** Decides an appeal: it says what a decision does before it is made. */
export function DecisionForm({ details }: { readonly details: AppealDetails }) {
  const { id: workspaceId } = useWorkspace()
  const { appeal, ban, cooldownDays } = details
  const now = useNow()
  const end = ban.expiresAt === null ? null : Date.parse(ban.expiresAt)
  const days = DAYS.filter((count) => expiresBefore(now + count * DAY_MS, end))
  const form = useForm({
    mode: 'controlled',
    initialValues: { decision: '', message: '', days: String(days[0] ?? ''), isFinal: false },
  })
  const { decision, isFinal } = form.values
  const toExpiry = (count: string) => now + Number(count) * DAY_MS
  const submit = useSubmit(form, labels, async (values) => {
    const isReduced = values.decision === 'reduced'
    const seconds = Math.round((toExpiry(values.days) - Date.parse(ban.createdAt)) / 1000)
    await decideAppeal(workspaceId, appeal, {
      decision: values.decision as AppealDecision,
      message: values.message,
      durationSeconds: isReduced ? String(seconds) : null,
      isFinal: values.decision === 'denied' && values.isFinal,
    })
    notifySuccess('Decided the appeal.')
  })
  const effect =
    decision === ''
      ? null
      : describeDecision(
          {
            decision: decision as AppealDecision,
            expiresAt: decision === 'reduced' ? toExpiry(form.values.days) : end,
            nextAppealAt: cooldownDays === '0' ? null : now + Number(cooldownDays) * DAY_MS,
            isFinal,
          },
          formatDateTime,
        )
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <Radio.Group label="Decision" {...form.getInputProps('decision')}>
          <Stack gap="xs" mt="xs">
            {choices
              .filter(({ value }) => value !== 'reduced' || days.length > 0)
              .map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
          </Stack>
        </Radio.Group>
        {decision === 'reduced' ? (
          <NativeSelect
            label="The ban ends"
            data={days.map((count) => ({ value: String(count), label: `in ${pluralize(count, 'day')}` }))}
            {...form.getInputProps('days')}
          />
        ) : null}
        {decision === 'denied' ? (
          <Checkbox
            label="Final: the ban cannot be appealed again"
            checked={isFinal}
            onChange={(event) => form.setFieldValue('isFinal', event.currentTarget.checked)}
          />
        ) : null}
        <Textarea
          label="Message to the player (optional)"
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('message')}
        />
        <Text fw={600} role="status" mih="1.55em" style={{ overflowWrap: 'anywhere' }}>
          {effect === null ? null : `${formatPlayerName(appeal)}: ${effect}`}
        </Text>
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <WriteGuard endpoint="moderation">
            <Button
              type="submit"
              color={decision === 'denied' ? 'red' : 'green'}
              loading={submit.isBusy}
              disabled={decision === ''}
            >
              {decision === '' ? 'Decide' : `${submitLabels[decision as AppealDecision]} ${appeal.userId}`}
            </Button>
          </WriteGuard>
        </Group>
      </Stack>
      <UnsavedText
        hasText={form.values.message.trim() !== ''}
        discard={form.reset}
        isSaving={submit.isBusy}
      />
    </form>
  )
}
