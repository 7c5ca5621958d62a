import type { Permission } from '@reeve/core'
import { IconCheck, IconLock, IconMinus, IconPlus } from '@tabler/icons-react'
import { memo } from 'react'
import { formatPermission } from '../../components/permission-labels.ts'
import classes from './matrix-cell.module.css'
import type { Role } from './queries.ts'
import type { DraftActions } from './use-draft.ts'

/** A cell that the user cannot change, with the reason. */
export interface LockedCell {
  readonly role: Role
  readonly permission: Permission
  readonly reason: string
}

interface Props {
  readonly role: Role
  readonly permission: Permission
  readonly isGranted: boolean
  readonly isChanged: boolean
  readonly reason: string | null
  readonly canEdit: boolean
  readonly position: string
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly onLockedChange: (locked: LockedCell | null) => void
  readonly setPermission: DraftActions['setPermission']
}

const ignoredProps = new Set<keyof Props>(['onFocus', 'onLockedChange', 'setPermission'])

/** One permission of one role: a checkbox, or a locked cell that shows the reason when clicked. */
export const MatrixCell = memo(
  function MatrixCell(props: Props) {
    const { role, permission, isGranted, isChanged, reason, canEdit, position, isCurrent, onFocus } = props
    const isLocked = reason !== null
    const handleClick = () => {
      if (isLocked) props.onLockedChange({ role, permission, reason })
      else if (canEdit) props.setPermission(role.id, permission, !isGranted)
    }
    return (
      // biome-ignore lint/a11y/useSemanticElements: unlike a disabled input, a locked cell stays reachable by keyboard
      <button
        type="button"
        role="checkbox"
        className={classes.cell}
        aria-checked={isGranted}
        aria-disabled={isLocked || !canEdit}
        aria-label={`${role.name}: ${formatPermission(permission)}${isChanged ? ', unsaved' : ''}`}
        title={reason ?? undefined}
        data-changed={isChanged ? (isGranted ? 'granted' : 'revoked') : undefined}
        data-position={position}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={() => {
          onFocus()
          props.onLockedChange(isLocked ? { role, permission, reason } : null)
        }}
        onClick={handleClick}
      >
        <span className={classes.box}>
          <CellIcon isGranted={isGranted} isChanged={isChanged} isLocked={isLocked} />
        </span>
      </button>
    )
  },
  (previous, next) =>
    (Object.keys(previous) as (keyof Props)[]).every(
      (name) => ignoredProps.has(name) || previous[name] === next[name],
    ),
)

const CellIcon = ({
  isGranted,
  isChanged,
  isLocked,
}: Record<'isGranted' | 'isChanged' | 'isLocked', boolean>) => {
  if (isChanged) return isGranted ? <IconPlus size={16} stroke={2.5} /> : <IconMinus size={16} stroke={2.5} />
  if (isGranted) return <IconCheck size={16} stroke={2.5} />
  return isLocked ? <IconLock size={14} stroke={1.7} /> : null
}
