import { Checkbox, List, Radio, Stack, Text } from '@mantine/core'
import type { Permission } from '@reeve/core'
import { useWorkspace } from '../../../api/me.ts'
import { formatPermission, permissionGroups } from '../../../components/permission-labels.ts'
import classes from './keys.module.css'
import { CUSTOM_PRESET, keyPermissions, type Preset, presets } from './presets.ts'

interface Props {
  /** The id of a preset, or `OWN_CHOICE`. */
  readonly preset: string
  readonly selected: readonly Permission[]
  readonly onSelect: (preset: string, selected: readonly Permission[]) => void
  readonly error: string | undefined
}

/** What a key may do: what such keys mostly need, or permissions one by one, of those that the reader has. */
export function PermissionChoice({ preset, selected, onSelect, error }: Props) {
  const { permissions: ownPermissions } = useWorkspace()
  const findMissingPermission = ({ permissions }: Preset) =>
    permissions.find((permission) => !ownPermissions.has(permission))
  return (
    <Stack gap="sm">
      <Radio.Group
        label="What it is used for"
        description="It may do no more than this needs, so that a key that leaks does little harm."
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
                    : `You cannot give this: you may not do it yourself (“${formatPermission(missing)}”).`
                }
              />
            )
          })}
          <Radio
            value={CUSTOM_PRESET}
            label="Something else"
            description="Choose each permission, of those that you have yourself."
          />
        </Stack>
      </Radio.Group>
      {preset === CUSTOM_PRESET ? (
        <PermissionCheckboxes
          ownPermissions={ownPermissions}
          selected={selected}
          onSelect={(next) => onSelect(CUSTOM_PRESET, next)}
          error={error}
        />
      ) : (
        <div className={classes.may}>
          <Text size="sm" fw={500}>
            It may:
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

interface PermissionCheckboxesProps {
  readonly ownPermissions: ReadonlySet<Permission>
  readonly selected: readonly Permission[]
  readonly onSelect: (selected: readonly Permission[]) => void
  readonly error: string | undefined
}

const PermissionCheckboxes = ({ ownPermissions, selected, onSelect, error }: PermissionCheckboxesProps) =>
  keyPermissions.some((permission) => ownPermissions.has(permission)) ? (
    <Checkbox.Group
      label="It may"
      value={[...selected]}
      onChange={(next) => onSelect(next as Permission[])}
      error={error}
      errorProps={{ role: 'alert' }}
      className={classes.may}
    >
      <div className={classes.groups}>
        {permissionGroups.map(({ title, permissions }) => {
          const available = permissions.filter(
            (permission) => ownPermissions.has(permission) && keyPermissions.includes(permission),
          )
          if (available.length === 0) return null
          return (
            <Stack key={title} gap={6} role="group" aria-label={title}>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              {available.map((permission) => (
                <Checkbox
                  key={permission}
                  value={permission}
                  label={formatPermission(permission)}
                  {...(error ? { 'aria-invalid': true } : {})}
                />
              ))}
            </Stack>
          )
        })}
      </div>
    </Checkbox.Group>
  ) : (
    <Text size="sm" role="note" className={classes.may}>
      You have no permission that a key could use, so you have none to give.
    </Text>
  )
