import { NativeSelect, Radio, Stack } from '@mantine/core'
import { maxAssignableRank, type Permission } from '@reeve/core'
import type { RolePresetId } from '../../components/role-preset-names.ts'
import { pluralize } from '../../format/number.ts'
import type { Actor } from './can-manage.ts'
import type { Role } from './queries.ts'
import type { RoleDetails } from './role-details-fields.tsx'
import { rolePresets } from './role-presets.ts'

/** What a new role starts from: a preset, a copy of a role, or no permissions. */
export type RoleStart = RolePresetId | 'copy' | 'empty'

/** The rank of an empty role: low, so that raising it is a decision. */
const FIRST_RANK = 10

/** Suggested details and permissions of a new role. */
export interface RoleSuggestion {
  readonly details: RoleDetails
  /** The permissions that the user can grant. */
  readonly permissions: readonly Permission[]
  /** The permissions that the user cannot grant, because they lack them. */
  readonly leftOut: readonly Permission[]
}

/** A name that no role has: `Moderator`, then `Moderator 2`. */
function findFreeName(name: string, roles: readonly Role[]): string {
  const takenNames = new Set(roles.map((role) => role.name.toLowerCase()))
  const candidates = [name, ...roles.map((_, index) => `${name.slice(0, 95)} ${index + 2}`)]
  return candidates.find((candidate) => !takenNames.has(candidate.toLowerCase())) ?? ''
}

/** The suggestion for a start. @param copiedRole the role to copy, if the start is `copy` */
export function suggestRole(
  start: RoleStart,
  copiedRole: Role | undefined,
  roles: readonly Role[],
  actor: Actor,
): RoleSuggestion {
  const source = start === 'copy' ? copiedRole : rolePresets.find(({ id }) => id === start)
  const rank = String(Math.min(source?.rank ?? FIRST_RANK, maxAssignableRank(actor)))
  const permissions = [...(source?.permissions ?? [])]
  return {
    details: {
      name: source ? findFreeName(source.name, roles) : '',
      color: source?.color ?? '',
      rank,
    },
    permissions: permissions.filter((permission) => actor.permissions.has(permission)),
    leftOut: permissions.filter((permission) => !actor.permissions.has(permission)),
  }
}

interface Props {
  readonly start: RoleStart
  readonly copiedId: string
  /** The roles that can be copied. */
  readonly copyableRoles: readonly Role[]
  readonly actor: Actor
  readonly onChange: (start: RoleStart, copiedId: string) => void
}

/** Chooses what a new role starts from. */
export function RoleStartChoice({ start, copiedId, copyableRoles, actor, onChange }: Props) {
  const describe = (description: string, permissions: readonly Permission[]): string => {
    const missing = permissions.filter((permission) => !actor.permissions.has(permission)).length
    if (missing === 0) return description
    return missing === permissions.length
      ? 'You don’t have any of its permissions, so you cannot grant them.'
      : `${description} Without ${pluralize(missing, 'permission')} that you don’t have.`
  }
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Start from"
        description="A suggestion. You can change everything before you create the role, and later."
        value={start}
        onChange={(value) => onChange(value as RoleStart, copiedId)}
      >
        <Stack gap="sm" mt="xs">
          {rolePresets.map(({ id, name, description, permissions }) => (
            <Radio
              key={id}
              value={id}
              label={name}
              description={describe(description, permissions)}
              disabled={!permissions.some((permission) => actor.permissions.has(permission))}
              data-autofocus={start === id || undefined}
            />
          ))}
          {copyableRoles.length > 0 ? (
            <Radio
              value="copy"
              label="A copy of a role"
              description="With its color, rank and permissions."
            />
          ) : null}
          <Radio
            value="empty"
            label="No permissions"
            description="Choose each permission yourself."
            data-autofocus={start === 'empty' || undefined}
          />
        </Stack>
      </Radio.Group>
      {start === 'copy' ? (
        <NativeSelect
          label="Role to copy"
          value={copiedId}
          onChange={(event) => onChange('copy', event.currentTarget.value)}
          data={copyableRoles.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
    </Stack>
  )
}
