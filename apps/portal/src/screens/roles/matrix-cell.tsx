import type { Permission } from '@reeve/core'
import { IconCheck, IconLock, IconMinus, IconPlus } from '@tabler/icons-react'
import { memo } from 'react'
import { permissionWords } from '../../components/permission-words.ts'
import classes from './matrix-cell.module.css'
import type { Role } from './role-data.ts'
import type { DraftTools } from './use-draft.ts'

/** A cell that cannot be changed, and why. */
export interface Locked {
  readonly role: Role
  readonly permission: Permission
  readonly reason: string
}

interface Props {
  readonly role: Role
  readonly permission: Permission
  readonly isHeld: boolean
  readonly isChanged: boolean
  readonly reason: string | null
  readonly mayChange: boolean
  readonly at: string
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly tellLocked: (locked: Locked | null) => void
  readonly wish: DraftTools['wish']
}

const sameButFor = new Set<keyof Props>(['onFocus', 'tellLocked', 'wish'])

/** Whether one role may do one thing: a box to tick, or a locked one that says why when it is pressed. */
export const MatrixCell = memo(
  function MatrixCell(props: Props) {
    const { role, permission, isHeld, isChanged, reason, mayChange, at, isCurrent, onFocus } = props
    const isLocked = reason !== null
    const press = () => {
      if (isLocked) props.tellLocked({ role, permission, reason })
      else if (mayChange) props.wish(role.id, permission, !isHeld)
    }
    return (
      // biome-ignore lint/a11y/useSemanticElements: it stays in the order of the grid where it is locked
      <button
        type="button"
        role="checkbox"
        className={classes.cell}
        aria-checked={isHeld}
        aria-disabled={isLocked || !mayChange}
        aria-label={`${role.name}: ${permissionWords(permission)}${isChanged ? ', not saved yet' : ''}`}
        title={reason ?? undefined}
        data-changed={isChanged ? (isHeld ? 'gives' : 'takes') : undefined}
        data-at={at}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={() => {
          onFocus()
          props.tellLocked(isLocked ? { role, permission, reason } : null)
        }}
        onClick={press}
      >
        <span className={classes.box}>
          <Mark isHeld={isHeld} isChanged={isChanged} isLocked={isLocked} />
        </span>
      </button>
    )
  },
  (one, other) =>
    (Object.keys(one) as (keyof Props)[]).every((name) => sameButFor.has(name) || one[name] === other[name]),
)

const Mark = ({ isHeld, isChanged, isLocked }: Record<'isHeld' | 'isChanged' | 'isLocked', boolean>) => {
  if (isChanged) return isHeld ? <IconPlus size={16} stroke={2.5} /> : <IconMinus size={16} stroke={2.5} />
  if (isHeld) return <IconCheck size={16} stroke={2.5} />
  return isLocked ? <IconLock size={14} stroke={1.7} /> : null
}
