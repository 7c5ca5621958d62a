import { List, Radio, Stack, Text } from '@mantine/core'
import type { Permission } from '@reeve/core'
import { useWorkspace } from '../../../api/me.ts'
import { PermissionCheckboxes } from '../../../components/permission-checkboxes.tsx'
import { formatPermission } from '../../../components/permission-labels.ts'
import classes from './keys.module.css'
import { CUSTOM_PRESET, keyPermissions, type Preset, presets } from './presets.ts'

interface Props {
  /** The id of a preset, or `CUSTOM_PRESET`. */
  readonly preset: string
  readonly selected: readonly Permission[]
  readonly onSelect: (preset: string, selected: readonly Permission[]) => void
  readonly error: string | undefined
}

/** Selects the permissions of a key: a preset, or single permissions out of those that the user has. */
export function PermissionChoice({ preset, selected, onSelect, error }: Props) {
  const { permissions: ownPermissions } = useWorkspace()
  const findMissingPermission = ({ permissions }: Preset) =>
    permissions.find((permission) => !ownPermissions.has(permission))
  const available = keyPermissions.filter((permission) => ownPermissions.has(permission))
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Used for"
        description="Each option grants only the permissions it needs, which limits the damage if a key leaks."
        value={preset}
        onChange={(id) => onSelect(id, presets.find((option) => option.id === id)?.permissions ?? selected)}
      >
        <Stack gap="sm" mt="xs">
          {presets.map((option) => {
            const missing = findMissingPermission(option)
            return (
              <Radio
                key={option.id}
                value={option.id}
                disabled={missing !== undefined}
                label={option.label}
                description={
                  missing === undefined
                    ? option.description
                    : `You cannot grant this because you do not have the permission “${formatPermission(missing)}”.`
                }
              />
            )
          })}
          <Radio
            value={CUSTOM_PRESET}
            label="Something else"
            description="Select permissions individually from those you have."
          />
        </Stack>
      </Radio.Group>
      {preset === CUSTOM_PRESET ? (
        available.length > 0 ? (
          <PermissionCheckboxes
            available={available}
            selected={selected}
            onSelect={(next) => onSelect(CUSTOM_PRESET, next)}
            error={error}
          />
        ) : (
          <Text size="sm" role="note" className={classes.permissions}>
            You have no permissions that a key can use.
          </Text>
        )
      ) : (
        <div className={classes.permissions}>
          <Text size="sm" fw={500}>
            Permissions:
          </Text>
          <List size="sm">
            {selected.map((permission) => (
              <List.Item key={permission}>{formatPermission(permission)}</List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  )
}
