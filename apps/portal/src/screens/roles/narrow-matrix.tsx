import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { formatPermission, permissionGroups } from '../../components/permission-labels.ts'
import { pluralize } from '../../format/number.ts'
import { explainCannotEdit } from './can-manage.ts'
import { formatAffectedPeople } from './format-impact.ts'
import { getCellState, type MatrixProps } from './matrix-cell-state.ts'
import classes from './narrow-matrix.module.css'
import { computeImpact } from './permission-diff.ts'
import { countMembers, formatRank } from './queries.ts'

/** The permissions of one role at a time, as a list. */
export function NarrowMatrix(props: MatrixProps) {
  const { roles, roleCombinations, actor, canEdit, draft, setPermission, selectedRoleId, onSelectRole } =
    props
  const role =
    roles.find(({ id }) => id === selectedRoleId) ??
    roles.find((candidate) =>
      canEdit ? explainCannotEdit(actor, candidate) === null : !candidate.isOwner,
    ) ??
    roles[0]
  if (!role) return null
  const reason = canEdit ? explainCannotEdit(actor, role) : null
  const impact = computeImpact(roles, draft, roleCombinations)
  const holders = pluralize(countMembers(role.id, roleCombinations), 'person has', 'people have')
  return (
    <Stack gap="md">
      <NativeSelect
        size="md"
        label="Role"
        description={`${holders} this role.`}
        value={role.id}
        onChange={(event) => onSelectRole(event.currentTarget.value)}
        data={roles.map(({ id, name, rank }) => ({
          value: id,
          label: `${name} · ${formatRank(rank).toLowerCase()}${draft.has(id) ? ' · unsaved' : ''}`,
        }))}
      />
      {reason === null && canEdit ? null : (
        <Text size="sm" className={classes.readOnlyNote}>
          <IconLock size={16} aria-hidden />
          <span>{reason ?? 'You can view permissions but not change them.'}</span>
        </Text>
      )}
      {permissionGroups.map(({ title, permissions }) => (
        <fieldset key={title} className={classes.group}>
          <legend>{title}</legend>
          {permissions.map((permission) => {
            const cell = getCellState(props, role, permission)
            const permissionImpact = [...impact.granted, ...impact.revoked].find(
              (candidate) => candidate.permission === permission,
            )
            const isFixed = cell.reason !== null || !canEdit
            return (
              <div
                key={permission}
                className={classes.row}
                data-fixed={isFixed || undefined}
                data-changed={cell.isChanged ? (cell.isGranted ? 'granted' : 'revoked') : undefined}
              >
                <Checkbox
                  size="md"
                  label={formatPermission(permission)}
                  checked={cell.isGranted}
                  disabled={isFixed}
                  onChange={(event) => setPermission(role.id, permission, event.currentTarget.checked)}
                  description={
                    cell.isChanged && permissionImpact
                      ? formatAffectedPeople(cell.isGranted ? 'granted' : 'revoked', permissionImpact)
                      : reason === null && cell.reason !== null
                        ? cell.reason
                        : undefined
                  }
                  classNames={{
                    root: classes.check ?? '',
                    body: classes.body ?? '',
                    icon: classes.icon ?? '',
                    labelWrapper: classes.labelWrapper ?? '',
                  }}
                />
                {isFixed && !cell.isGranted ? (
                  <IconLock size={16} aria-hidden className={classes.lock} />
                ) : null}
              </div>
            )
          })}
        </fieldset>
      ))}
    </Stack>
  )
}
