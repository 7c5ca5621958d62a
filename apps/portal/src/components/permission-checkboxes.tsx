import { Checkbox, Stack, Text } from '@mantine/core'
import type { Permission } from '@reeve/core'
import classes from './permission-checkboxes.module.css'
import { formatPermission, permissionGroups } from './permission-labels.ts'

/** The groups that contain some of these permissions, with only these. */
const groupPermissions = (permissions: readonly Permission[]) =>
  permissionGroups
    .map((group) => ({
      title: group.title,
      permissions: group.permissions.filter((permission) => permissions.includes(permission)),
    }))
    .filter((group) => group.permissions.length > 0)

interface Props {
  /** The permissions to choose from. */
  readonly available: readonly Permission[]
  readonly selected: readonly Permission[]
  readonly onSelect: (selected: readonly Permission[]) => void
  readonly error?: string | undefined
}

/** Selects single permissions, grouped by resource. */
export const PermissionCheckboxes = ({ available, selected, onSelect, error }: Props) => (
  <Checkbox.Group
    label="Permissions"
    value={[...selected]}
    onChange={(next) => onSelect(next as Permission[])}
    error={error}
    errorProps={{ role: 'alert' }}
    className={classes.box}
  >
    <div className={classes.groups}>
      {groupPermissions(available).map(({ title, permissions }) => (
        <Stack key={title} gap={6} role="group" aria-label={title}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={formatPermission(permission)}
              {...(error ? { 'aria-invalid': true } : {})}
            />
          ))}
        </Stack>
      ))}
    </div>
  </Checkbox.Group>
)

/** Permissions to read, grouped by resource. */
export const PermissionList = ({ permissions: listed }: { readonly permissions: readonly Permission[] }) => (
  <div className={classes.groups}>
    {groupPermissions(listed).map(({ title, permissions }) => (
      <section key={title} aria-label={title}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <ul className={classes.list}>
          {permissions.map((permission) => (
            <li key={permission}>{formatPermission(permission)}</li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)
