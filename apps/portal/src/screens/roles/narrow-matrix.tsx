import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { permissionGroups, permissionWords } from '../../components/permission-words.ts'
import { count } from '../../format/number.ts'
import { cellOf, type MatrixProps } from './cell.ts'
import { outcomeOf } from './effect.ts'
import classes from './narrow-matrix.module.css'
import { peopleWords } from './outcome-words.ts'
import { whyNoChange } from './reach.ts'
import { holdersOf, rankWords } from './role-data.ts'

/** One role after another: what each may do, as a list. */
export function NarrowMatrix(props: MatrixProps) {
  const { roles, holdings, reader, mayChange, draft, wish, chosenId, choose } = props
  const role =
    roles.find(({ id }) => id === chosenId) ??
    roles.find((one) => (mayChange ? whyNoChange(reader, one) === null : !one.isOwner)) ??
    roles[0]
  if (!role) return null
  const reason = mayChange ? whyNoChange(reader, role) : null
  const outcome = outcomeOf(roles, draft, holdings)
  const holders = count(holdersOf(role.id, holdings), 'person has', 'people have')
  return (
    <Stack gap="md">
      <NativeSelect
        size="md"
        label="Role"
        description={`${holders} this role.`}
        value={role.id}
        onChange={(event) => choose(event.currentTarget.value)}
        data={roles.map(({ id, name, rank }) => ({
          value: id,
          label: `${name} · ${rankWords(rank).toLowerCase()}${draft.has(id) ? ' · not saved yet' : ''}`,
        }))}
      />
      {reason === null && mayChange ? null : (
        <Text size="sm" className={classes.note}>
          <IconLock size={16} aria-hidden />
          <span>{reason ?? 'You can read what roles may do, but not change it.'}</span>
        </Text>
      )}
      {permissionGroups.map(({ title, permissions }) => (
        <fieldset key={title} className={classes.group}>
          <legend>{title}</legend>
          {permissions.map((permission) => {
            const cell = cellOf(props, role, permission)
            const effect = [...outcome.gives, ...outcome.takes].find((one) => one.permission === permission)
            const isFixed = cell.reason !== null || !mayChange
            return (
              <div
                key={permission}
                className={classes.row}
                data-fixed={isFixed || undefined}
                data-changed={cell.isChanged ? (cell.isHeld ? 'gives' : 'takes') : undefined}
              >
                <Checkbox
                  size="md"
                  label={permissionWords(permission)}
                  checked={cell.isHeld}
                  disabled={isFixed}
                  onChange={(event) => wish(role.id, permission, event.currentTarget.checked)}
                  description={
                    cell.isChanged && effect
                      ? peopleWords(cell.isHeld ? 'gives' : 'takes', effect)
                      : reason === null && cell.reason !== null
                        ? cell.reason
                        : undefined
                  }
                  classNames={{
                    root: classes.check ?? '',
                    body: classes.body ?? '',
                    icon: classes.icon ?? '',
                    labelWrapper: classes.words ?? '',
                  }}
                />
                {isFixed && !cell.isHeld ? <IconLock size={16} aria-hidden className={classes.lock} /> : null}
              </div>
            )
          })}
        </fieldset>
      ))}
    </Stack>
  )
}
