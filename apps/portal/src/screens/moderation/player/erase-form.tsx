import { Button, List, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { DialogFooter } from '../../../components/dialog-footer.tsx'
import { ErrorState, LoadingRows } from '../../../components/empty-error-loading.tsx'
import { pluralize } from '../../../format/number.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import type { Erasure } from '../../erasures/erasure-data.ts'
import { ErasureRemains } from '../../erasures/remains.tsx'
import { invalidateModeration } from '../mutations.ts'
import { RadioButtons } from '../radio-buttons.tsx'

type Mode = Erasure['mode']

interface Props {
  readonly workspaceId: string
  readonly userId: string
  readonly close: () => void
}

const labels = { mode: 'What to keep', reason: 'Reason', confirmUserId: 'Confirmation' }
const modeLabels = { erase: 'Nothing', pseudonymise: 'Bans, without texts and names' } as const
const modes = ['erase', 'pseudonymise'] as const

/** How often the progress of an erasure is read, in milliseconds. */
const POLL_MS = 1000

const readErasure = async (workspaceId: string, id: string): Promise<Erasure> => {
  const query = { workspaceId, id }
  const response = await unwrap(api.GET('/api/moderation/erasures', { params: { query } }))
  if (!('erasure' in response)) throw new TypeError('The response has no erasure.')
  return response.erasure
}

/** Shows what is stored about a player, erases it after confirmation, and shows what is left to do. */
export function EraseForm(props: Props) {
  const [requested, setRequested] = useState<Erasure | null>(null)
  return requested ? (
    <EraseResult {...props} requested={requested} />
  ) : (
    <RequestForm {...props} onRequested={setRequested} />
  )
}

function RequestForm({
  workspaceId,
  userId,
  onRequested,
}: Omit<Props, 'close'> & { readonly onRequested: (erasure: Erasure) => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'erasures', 'preview', userId],
    queryFn: async () => {
      const query = { workspaceId, userId }
      return (await unwrap(api.GET('/api/moderation/erasures/preview', { params: { query } }))).preview
    },
    staleTime: 0,
  })
  const form = useForm({
    mode: 'controlled',
    initialValues: { mode: 'erase' as Mode, reason: '', confirmUserId: '' },
  })
  const submit = useSubmit(form, labels, async ({ mode, reason, confirmUserId }) => {
    const body = { workspaceId, userId, confirmUserId: confirmUserId.trim(), mode, reason }
    onRequested((await unwrap(api.POST('/api/moderation/erasures', { body }))).erasure)
  })
  const { mode } = form.values
  return (
    <DialogForm
      submit={submit}
      submitLabel="Erase player"
      color="red"
      isDisabled={form.values.confirmUserId.trim() !== userId}
    >
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <PreviewList preview={data} mode={mode} />
      ) : error ? null : (
        <LoadingRows rows={3} height={24} />
      )}
      <RadioButtons
        label={labels.mode}
        name="mode"
        options={modes.map((value) => ({ value, label: modeLabels[value] }))}
        value={mode}
        onChange={(value) => form.setFieldValue('mode', value)}
        error={form.errors.mode}
      />
      <Textarea
        label={labels.reason}
        description="Without the ID of the player: the audit log keeps it."
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('reason')}
      />
      <TextInput
        {...plainTextProps}
        label={`Type ${userId} to confirm`}
        autoComplete="off"
        {...form.getInputProps('confirmUserId')}
      />
    </DialogForm>
  )
}

function PreviewList({
  preview,
  mode,
}: {
  readonly preview: Schemas['ErasurePreview']
  readonly mode: Mode
}) {
  const counts = [
    pluralize(Number(preview.records), 'case'),
    pluralize(Number(preview.evidenceFiles), 'evidence file'),
    pluralize(Number(preview.appeals), 'appeal'),
    pluralize(Number(preview.pinnedNotes), 'pinned note'),
    pluralize(Number(preview.links), 'link'),
    pluralize(preview.names.length, 'name'),
  ]
  const inForce = Number(preview.bansInForce) + Number(preview.mutesInForce)
  return (
    <Text component="div" size="sm">
      This cannot be undone. Stored about this player: {counts.join(', ')}.
      <List size="sm" mt="xs">
        <List.Item>
          {mode === 'erase'
            ? 'All of it is deleted. The audit log keeps that a player was erased, not which one.'
            : 'Cases stay with a pseudonym, without texts and names. Everything else is deleted.'}
        </List.Item>
        {inForce === 0 ? null : (
          <List.Item>
            {mode === 'erase'
              ? `${pluralize(inForce, 'ban or mute', 'bans or mutes')} in force ends: the player can join again.`
              : `${pluralize(inForce, 'ban or mute', 'bans or mutes')} in force still matches when a game server checks the player.`}
          </List.Item>
        )}
      </List>
    </Text>
  )
}

function EraseResult({ workspaceId, requested, close }: Props & { readonly requested: Erasure }) {
  const {
    data = requested,
    error,
    refetch,
  } = useQuery({
    queryKey: [workspaceId, 'erasures', requested.id],
    queryFn: async () => {
      const erasure = await readErasure(workspaceId, requested.id)
      if (erasure.state === 'succeeded') await invalidateModeration(workspaceId)
      return erasure
    },
    refetchInterval: ({ state }) => (state.data?.state === 'succeeded' ? false : POLL_MS),
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <Stack gap="md">
      <Text component="div" size="sm" role="status">
        {data.state !== 'succeeded' ? (
          'Erasing the player. You can close this: it continues by itself, and its result is listed under Configuration → Erasures.'
        ) : (
          <>
            The player is erased: {pluralize(Number(data.records), 'case')}. Left for you to do:
            <ErasureRemains erasure={data} />
          </>
        )}
      </Text>
      <DialogFooter>
        <Button onClick={close}>Close</Button>
      </DialogFooter>
    </Stack>
  )
}
