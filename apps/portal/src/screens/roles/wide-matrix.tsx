import { Text } from '@mantine/core'
import type { Permission } from '@reeve/core'
import { IconLock } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { formatPermission, permissionGroups } from '../../components/permission-labels.ts'
import { RoleDot } from '../../components/role-badge.tsx'
import { useShortcut } from '../../components/shortcuts.ts'
import { pluralize } from '../../format/number.ts'
import { explainCannotEdit } from './can-manage.ts'
import { type LockedCell, MatrixCell } from './matrix-cell.tsx'
import { getCellState, type MatrixProps } from './matrix-cell-state.ts'
import { countMembers } from './queries.ts'
import classes from './wide-matrix.module.css'

const rows: readonly Permission[] = permissionGroups.flatMap(({ permissions }) => permissions)

const ARROW_OFFSETS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

const cellShortcut = { keys: ['←', '↑', '→', '↓'], label: 'Move to another permission', group: 'Permissions' }

/** The permissions of every role as a table. Tab reaches one cell, the arrow keys the others. */
export function WideMatrix(props: MatrixProps) {
  const { roles, roleCombinations, actor, canEdit, setPermission } = props
  const [focusedCell, setFocusedCell] = useState<readonly [number, number]>([0, 0])
  const [lockedCell, setLockedCell] = useState<LockedCell | null>(null)

  useShortcut(cellShortcut)
  const handleKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const offset = ARROW_OFFSETS[event.key]
    if (!offset) return
    event.preventDefault()
    const row = Math.min(Math.max(focusedCell[0] + offset[0], 0), rows.length - 1)
    const column = Math.min(Math.max(focusedCell[1] + offset[1], 0), roles.length - 1)
    const cell = event.currentTarget.querySelector<HTMLElement>(`[data-position="${row}:${column}"]`)
    cell?.focus()
  }

  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs" className={classes.legend}>
        {canEdit ? (
          <>
            <IconLock size={14} aria-hidden />
            {lockedCell ? (
              <span>
                {formatPermission(lockedCell.permission)}, for <bdi>{lockedCell.role.name}</bdi>:{' '}
                {lockedCell.reason}
              </span>
            ) : (
              <span>You cannot change locked permissions. Click one to see why.</span>
            )}
          </>
        ) : (
          <span>You can view permissions but not change them.</span>
        )}
      </Text>
      <section className={classes.scroll} aria-label="Permissions">
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an interactive table is a grid
          role="grid"
          aria-label="Permissions of each role"
          aria-readonly={!canEdit}
          className={classes.matrix}
          onKeyDown={handleKeyDown}
        >
          <thead>
            <tr>
              <th scope="col" className={`${classes.permission} ${classes.head} ${classes.corner}`}>
                Permission
              </th>
              {roles.map((role) => {
                const reason = canEdit ? explainCannotEdit(actor, role) : null
                return (
                  <th key={role.id} scope="col" className={classes.head} title={reason ?? undefined}>
                    <span className={classes.role}>
                      <RoleDot color={role.color} /> <bdi>{role.name}</bdi>
                    </span>
                    <span className={classes.people}>
                      {reason === null ? null : <IconLock size={14} aria-label={`Locked: ${reason}`} />}{' '}
                      {pluralize(countMembers(role.id, roleCombinations), 'person', 'people')}
                    </span>
                  </th>
                )
              })}
            </tr>
          </thead>
          {permissionGroups.map(({ title, permissions }) => (
            <tbody key={title}>
              <tr>
                <th scope="rowgroup" colSpan={roles.length + 1} className={classes.group}>
                  <span>{title}</span>
                </th>
              </tr>
              {permissions.map((permission) => {
                const row = rows.indexOf(permission)
                return (
                  <tr key={permission}>
                    <th scope="row" className={classes.permission}>
                      {formatPermission(permission)}
                      <code>{permission}</code>
                    </th>
                    {roles.map((role, column) => (
                      <td key={role.id}>
                        <MatrixCell
                          {...getCellState(props, role, permission)}
                          role={role}
                          permission={permission}
                          canEdit={canEdit}
                          position={`${row}:${column}`}
                          isCurrent={focusedCell[0] === row && focusedCell[1] === column}
                          onFocus={() => setFocusedCell([row, column])}
                          onLockedChange={setLockedCell}
                          setPermission={setPermission}
                        />
                      </td>
                    ))}
                  </tr>
                )
              })}
            </tbody>
          ))}
        </table>
      </section>
    </div>
  )
}
