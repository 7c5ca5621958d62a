import { Button, Checkbox, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { UnsavedText } from '../../components/unsaved-text.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { useTextForm } from '../../forms/use-text-form.ts'
import { type AppealSummary, sendMessage } from './appeal-data.ts'

/** Adds an internal message, or one to the player while the appeal is open. */
export function MessageForm({ appeal }: { readonly appeal: AppealSummary }) {
  const { id: workspaceId } = useWorkspace()
  const canWriteToPlayer = useHasPermission('appeals.decide') && appeal.closedAt === null
  const [isForPlayer, setIsForPlayer] = useState(false)
  const { form, value: text, inputProps, reset, resetSent } = useTextForm()
  const isInternal = !(canWriteToPlayer && isForPlayer)
  const label = isInternal ? 'Internal message' : 'Message to the player'
  const submit = useSubmit(form, { value: 'Message' }, async ({ value }) => {
    await sendMessage(workspaceId, appeal.id, { text: value, isInternal })
    resetSent(value)
    // The next message is not for the player because this one was.
    setIsForPlayer(false)
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="xs" mt="md">
        <Textarea
          label={label}
          description={
            isForPlayer && isInternal
              ? 'The player can no longer read new messages: this one will be internal.'
              : 'Links to evidence can be pasted as text.'
          }
          autosize
          minRows={2}
          maxRows={8}
          {...inputProps}
        />
        <Group>
          {canWriteToPlayer ? (
            <Checkbox
              label="The player can read it"
              checked={isForPlayer}
              onChange={(event) => setIsForPlayer(event.currentTarget.checked)}
            />
          ) : null}
          <WriteGuard endpoint="moderation">
            <Button type="submit" variant="default" ml="auto" loading={submit.isBusy}>
              Add message
            </Button>
          </WriteGuard>
        </Group>
        <FormAlert>{submit.alert}</FormAlert>
      </Stack>
      <UnsavedText
        hasText={text.trim() !== ''}
        readTexts={() => [{ label, text: form.getValues().value }]}
        discard={reset}
        isSaving={submit.isBusy}
      />
    </form>
  )
}
