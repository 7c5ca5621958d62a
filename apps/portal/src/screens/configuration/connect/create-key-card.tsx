import { Alert, Button, Group, Radio, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle, IconKey } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { CopyBlock } from '../../../components/copy-block.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { formatPermission } from '../../../components/permission-labels.ts'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { apiKeysKey, type CreatedKey, createKey } from '../api-keys/key-data.ts'
import { withLostResponseWarning } from '../api-keys/lost-response-warning.ts'
import { type Preset, presets } from '../api-keys/presets.ts'

interface Props {
  readonly created: CreatedKey | null
  readonly onCreated: (created: CreatedKey) => void
}

const KEY_NAME = 'Game server'
const LOST_RESPONSE_WARNING =
  'The key may have been created anyway. Check the list of API keys and revoke it before you try again.'

/** The uses of a game server, the one with the fewest permissions first. */
const choices = presets.filter(({ id }) => id === 'ban-check' || id === 'server-moderation')

/** The first step: a key with as few permissions as possible. */
export const CreateKeyCard = ({ created, onCreated }: Props) => (
  <Card title="1. Create a key">
    {created ? <Secret created={created} /> : <KeyForm onCreated={onCreated} />}
  </Card>
)

const Secret = ({ created: { key, secret } }: { readonly created: CreatedKey }) => (
  <Stack gap="md">
    <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
      Keep this page open until your game is connected: the key “{key.name}” is not shown again, because Reeve
      stores only a hash of it.
    </Alert>
    <CopyBlock label="API key" value={secret}>
      Anyone who has it can use it. Keep it out of scripts: players can get copies of them.
    </CopyBlock>
  </Stack>
)

function KeyForm({ onCreated }: Pick<Props, 'onCreated'>) {
  const client = useQueryClient()
  const { id: workspaceId, permissions: ownPermissions } = useWorkspace()
  const findMissingPermission = ({ permissions }: Preset) =>
    permissions.find((permission) => !ownPermissions.has(permission))
  const form = useForm({ initialValues: { preset: choices[0]?.id ?? '' } })
  const submit = useSubmit(form, { preset: 'Used for' }, async ({ preset }) => {
    const { permissions = [] } = choices.find(({ id }) => id === preset) ?? {}
    const key = { name: KEY_NAME, permissions, expiresAt: null, allowedAddresses: '' }
    const created = await withLostResponseWarning(createKey(workspaceId, key), LOST_RESPONSE_WARNING).finally(
      () => client.invalidateQueries({ queryKey: apiKeysKey(workspaceId) }),
    )
    onCreated(created)
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <Radio.Group label="What does the game do?" {...form.getInputProps('preset')}>
          <Stack gap="sm" mt="xs">
            {choices.map((choice) => {
              const missing = findMissingPermission(choice)
              return (
                <Radio
                  key={choice.id}
                  value={choice.id}
                  label={choice.label}
                  disabled={missing !== undefined}
                  description={
                    missing === undefined
                      ? choice.description
                      : `You cannot grant this because you do not have the permission “${formatPermission(missing)}”.`
                  }
                />
              )
            })}
          </Stack>
        </Radio.Group>
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <WriteGuard endpoint={null}>
            <Button
              type="submit"
              leftSection={<IconKey size={16} aria-hidden />}
              loading={submit.isBusy}
              disabled={choices.every(findMissingPermission)}
            >
              Create key
            </Button>
          </WriteGuard>
        </Group>
      </Stack>
    </form>
  )
}
