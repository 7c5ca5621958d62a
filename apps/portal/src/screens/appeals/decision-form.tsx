import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text, Textarea } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type AppealDecision, DAY_MS, describeDecision, expiresBefore } from '@reeve/core'
import { useMe, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { UnsavedText } from '../../components/unsaved-text.tsx'
import { UnsentText } from '../../components/unsent-text.tsx'
import { pluralize } from '../../format/number.ts'
import { formatPlayerName } from '../../format/player-name.ts'
import { formatDateTime } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { type AppealDetails, decideAppeal, describeClosing } from './appeal-data.ts'

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

interface Values extends Record<string, unknown> {
  readonly decision: AppealDecision | ''
  readonly message: string
  readonly days: string
  readonly isFinal: boolean
}

/**
 * Decides an appeal: it says what a decision does before it is made. The message stays if somebody else decides while it is
 * written.
 */
export function DecisionForm({ details }: { readonly details: AppealDetails }) {
  const { id: workspaceId } = useWorkspace()
  const me = useMe()
  const { appeal, ban, cooldownDays } = details
  const now = useNow()
  const end = ban.expiresAt === null ? null : Date.parse(ban.expiresAt)
  const days = DAYS.filter((count) => expiresBefore(now + count * DAY_MS, end))
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: { decision: '', message: '', days: String(days[0] ?? ''), isFinal: false },
  })
  const { decision, isFinal, message } = form.values
  const toExpiry = (count: string) => now + Number(count) * DAY_MS
  const submit = useSubmit(form, labels, async (values) => {
    const isReduced = values.decision === 'reduced'
    const seconds = Math.round((toExpiry(values.days) - Date.parse(ban.createdAt)) / 1000)
    if (values.decision === '') return
    await decideAppeal(workspaceId, appeal, {
      decision: values.decision,
      message: values.message,
      durationSeconds: isReduced ? String(seconds) : null,
      isFinal: values.decision === 'denied' && values.isFinal,
    })
    if (form.getValues().message === values.message) form.reset()
    notifySuccess('Decided the appeal.')
  })
  const canDecide = details.canDecide === 'true' || submit.isBusy
  if (!canDecide && message.trim() === '') return null
  const effect =
    decision === ''
      ? null
      : describeDecision(
          {
            decision,
            expiresAt: decision === 'reduced' ? toExpiry(form.values.days) : end,
            nextAppealAt: cooldownDays === '0' ? null : now + Number(cooldownDays) * DAY_MS,
            appealableUntil: ban.appealableUntil === null ? null : Date.parse(ban.appealableUntil),
            isFinal,
          },
          now,
          formatDateTime,
        )
  return (
    <Card title={canDecide ? 'Decide' : 'Message that was not sent'}>
      <form onSubmit={submit.onSubmit} noValidate>
        <Stack gap="md">
          {canDecide ? <DecisionFields form={form} days={days} /> : null}
          <Textarea
            label={canDecide ? 'Message to the player (optional)' : 'Message to the player'}
            autosize
            minRows={2}
            maxRows={8}
            readOnly={!canDecide}
            {...form.getInputProps('message')}
          />
          {canDecide ? (
            <>
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
                    {decision === '' ? 'Decide' : `${submitLabels[decision]} ${appeal.userId}`}
                  </Button>
                </WriteGuard>
              </Group>
            </>
          ) : (
            <UnsentText
              noun="message"
              text={message}
              cause={describeClosing(appeal, me.id)}
              discard={form.reset}
            />
          )}
        </Stack>
        <UnsavedText
          hasText={message.trim() !== ''}
          readTexts={() => [{ label: 'Message to the player', text: form.getValues().message }]}
          discard={form.reset}
          isSaving={submit.isBusy}
        />
      </form>
    </Card>
  )
}

interface FieldsProps {
  readonly form: UseFormReturnType<Values>
  /** In how many days a shortened ban can end. */
  readonly days: readonly number[]
}

const DecisionFields = ({ form, days }: FieldsProps) => (
  <>
    <Radio.Group label="Decision" {...form.getInputProps('decision')}>
      <Stack gap="xs" mt="xs">
        {choices
          .filter(({ value }) => value !== 'reduced' || days.length > 0)
          .map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
      </Stack>
    </Radio.Group>
    {form.values.decision === 'reduced' ? (
      <NativeSelect
        label="The ban ends"
        data={days.map((count) => ({ value: String(count), label: `in ${pluralize(count, 'day')}` }))}
        {...form.getInputProps('days')}
      />
    ) : null}
    {form.values.decision === 'denied' ? (
      <Checkbox
        label="Final: the ban cannot be appealed again"
        checked={form.values.isFinal}
        onChange={(event) => form.setFieldValue('isFinal', event.currentTarget.checked)}
      />
    ) : null}
  </>
)
