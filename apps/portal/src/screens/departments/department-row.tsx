import type { useSortable } from '@dnd-kit/sortable'
import { ActionIcon, Menu, Title } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconEdit,
  IconGripVertical,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { DangerMenuItem } from '../../components/danger-menu-item.tsx'
import { useEndpointState, WriteGuard } from '../../components/endpoint-state.tsx'
import type { Department } from './department-data.ts'
import { DepartmentMembers } from './department-members.tsx'
import classes from './departments.module.css'
import { ExpandableText } from './expandable-text.tsx'
import { useDeleteDepartment } from './use-delete-department.ts'

type Sortable = ReturnType<typeof useSortable>

export interface DepartmentRowProps {
  readonly department: Department
  /** Its index in the list. */
  readonly position: number
  readonly total: number
  readonly canChange: boolean
  readonly edit: () => void
  readonly editMembers: () => void
  readonly move: (to: number) => void
  /** What makes the handle start a drag. */
  readonly handle: {
    readonly ref: Sortable['setActivatorNodeRef']
    readonly listeners: Sortable['listeners']
  }
}

/** One department with its members and actions. */
export function DepartmentRow({ department, canChange, editMembers, ...props }: DepartmentRowProps) {
  const { name, description } = department
  const { blockedReason } = useEndpointState('departments')
  const canMove = canChange && blockedReason === null && props.total > 1
  return (
    <>
      {canMove ? <Handle name={name} {...props} /> : null}
      <div className={classes.text} id={`department-${department.id}`}>
        <Title order={2} className={classes.name}>
          <bdi>{name}</bdi>
        </Title>
        {description === null ? null : (
          <ExpandableText label={`the description of ${name}`}>{description}</ExpandableText>
        )}
        <DepartmentMembers department={department} editMembers={canChange ? editMembers : null} />
      </div>
      {canChange ? <Actions department={department} editMembers={editMembers} {...props} /> : null}
    </>
  )
}

function Handle({
  name,
  position,
  total,
  move,
  handle,
}: Pick<DepartmentRowProps, 'position' | 'total' | 'move' | 'handle'> & { readonly name: string }) {
  const targetPositions: Readonly<Record<string, number>> = {
    ArrowUp: position - 1,
    ArrowDown: position + 1,
    Home: 0,
    End: total - 1,
  }
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const to = targetPositions[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(to)
    const element = event.currentTarget
    requestAnimationFrame(() => element.closest('li')?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <ActionIcon
      ref={handle.ref}
      variant="subtle"
      color="gray"
      size={36}
      className={classes.handle}
      aria-label={`Move ${name}`}
      aria-keyshortcuts="ArrowUp ArrowDown Home End"
      title="Drag to reorder, or use the arrow keys"
      {...handle.listeners}
      onKeyDown={handleKeyDown}
    >
      <IconGripVertical size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}

function Actions({
  department,
  position,
  total,
  edit,
  editMembers,
  move,
}: Omit<DepartmentRowProps, 'canChange' | 'handle'>) {
  const confirmDelete = useDeleteDepartment()
  return (
    <Menu position="bottom-end" width={272} returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Change ${department.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <WriteGuard endpoint="departments" isMenuItem>
          <Menu.Item leftSection={<IconEdit size={16} stroke={1.7} aria-hidden />} onClick={edit}>
            Name, color and description
          </Menu.Item>
        </WriteGuard>
        <WriteGuard endpoint="departments" isMenuItem>
          <Menu.Item leftSection={<IconUsers size={16} stroke={1.7} aria-hidden />} onClick={editMembers}>
            Members and lead
          </Menu.Item>
        </WriteGuard>
        {total > 1 ? (
          <>
            <Menu.Divider />
            <WriteGuard endpoint="departments" isMenuItem>
              <Menu.Item
                leftSection={<IconArrowUp size={16} stroke={1.7} aria-hidden />}
                disabled={position === 0}
                onClick={() => move(position - 1)}
              >
                Move up
              </Menu.Item>
            </WriteGuard>
            <WriteGuard endpoint="departments" isMenuItem>
              <Menu.Item
                leftSection={<IconArrowDown size={16} stroke={1.7} aria-hidden />}
                disabled={position === total - 1}
                onClick={() => move(position + 1)}
              >
                Move down
              </Menu.Item>
            </WriteGuard>
          </>
        ) : null}
        <Menu.Divider />
        <WriteGuard endpoint="departments" isMenuItem>
          <DangerMenuItem
            leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
            onClick={() => confirmDelete(department)}
          >
            Delete
          </DangerMenuItem>
        </WriteGuard>
      </Menu.Dropdown>
    </Menu>
  )
}
