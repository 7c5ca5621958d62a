import { Text } from '@mantine/core'
import type { Permission } from '@reeve/core'
import { IconLock } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { permissionGroups, permissionWords } from '../../components/permission-words.ts'
import { RoleDot } from '../../components/role-badge.tsx'
import { count } from '../../format/number.ts'
import { cellOf, type MatrixProps } from './cell.ts'
import { type Locked, MatrixCell } from './matrix-cell.tsx'
import { whyNoChange } from './reach.ts'
import { holdersOf } from './role-data.ts'
import classes from './wide-matrix.module.css'

const rows: readonly Permission[] = permissionGroups.flatMap(({ permissions }) => permissions)

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Every role beside every other. One cell is in the order of the Tab key; the arrow keys go to the others. */
export function WideMatrix(props: MatrixProps) {
  const { roles, holdings, reader, mayChange, wish } = props
  const [at, setAt] = useState<readonly [number, number]>([0, 0])
  const [locked, setLocked] = useState<Locked | null>(null)

  const move = (event: KeyboardEvent<HTMLTableElement>) => {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const row = Math.min(Math.max(at[0] + step[0], 0), rows.length - 1)
    const column = Math.min(Math.max(at[1] + step[1], 0), roles.length - 1)
    const cell = event.currentTarget.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`)
    cell?.focus()
  }

  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs" className={classes.legend}>
        {mayChange ? (
          <>
            <IconLock size={14} aria-hidden />
            {locked ? (
              <span>
                {permissionWords(locked.permission)}, for <bdi>{locked.role.name}</bdi>: {locked.reason}
              </span>
            ) : (
              <span>What is locked is not yours to give. Press it to see why.</span>
            )}
          </>
        ) : (
          <span>You can read what roles may do, but not change it.</span>
        )}
      </Text>
      <section className={classes.scroll} aria-label="Permissions">
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are worked with is a grid
          role="grid"
          aria-label="What each role may do"
          aria-readonly={!mayChange}
          className={classes.matrix}
          onKeyDown={move}
        >
          <thead>
            <tr>
              <th scope="col" className={`${classes.permission} ${classes.head} ${classes.corner}`}>
                Permission
              </th>
              {roles.map((role) => {
                const reason = mayChange ? whyNoChange(reader, role) : null
                return (
                  <th key={role.id} scope="col" className={classes.head} title={reason ?? undefined}>
                    <span className={classes.role}>
                      <RoleDot color={role.color} /> <bdi>{role.name}</bdi>
                    </span>
                    <span className={classes.people}>
                      {reason === null ? null : <IconLock size={14} aria-label={`Locked: ${reason}`} />}{' '}
                      {count(holdersOf(role.id, holdings), 'person', 'people')}
                    </span>
                  </th>
                )
              })}
            </tr>
          </thead>
          {permissionGroups.map(({ title, permissions }, index) => (
            <tbody key={title}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={roles.length + 1}
                  className={`${classes.group} ${index === 0 ? classes.first : ''}`}
                >
                  <span>{title}</span>
                </th>
              </tr>
              {permissions.map((permission) => {
                const row = rows.indexOf(permission)
                return (
                  <tr key={permission}>
                    <th scope="row" className={classes.permission}>
                      {permissionWords(permission)}
                      <code>{permission}</code>
                    </th>
                    {roles.map((role, column) => (
                      <td key={role.id}>
                        <MatrixCell
                          {...cellOf(props, role, permission)}
                          role={role}
                          permission={permission}
                          mayChange={mayChange}
                          at={`${row}:${column}`}
                          isCurrent={at[0] === row && at[1] === column}
                          onFocus={() => setAt([row, column])}
                          tellLocked={setLocked}
                          wish={wish}
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
