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
import type { KeyboardEvent, PointerEvent } from 'react'
import { DangerMenuItem } from '../../components/danger-menu-item.tsx'
import type { Department } from './department-data.ts'
import { DepartmentMembers } from './department-members.tsx'
import classes from './departments.module.css'
import { ExpandableText } from './expandable-text.tsx'
import { useDeleteDepartment } from './use-delete-department.ts'

interface Props {
  readonly department: Department
  /** Where it stands, counted from 0. */
  readonly position: number
  readonly total: number
  readonly canChange: boolean
  readonly edit: () => void
  readonly editMembers: () => void
  readonly move: (to: number) => void
  readonly startDrag: (event: PointerEvent<HTMLElement>) => void
}

/** One department: what it is, who is in it, and what the reader can do with it. */
export function DepartmentRow({ department, canChange, editMembers, ...props }: Props) {
  const { name, description } = department
  return (
    <>
      {canChange && props.total > 1 ? <Handle name={name} {...props} /> : null}
      <div className={classes.text}>
        <Title order={2} className={classes.name}>
          <bdi>{name}</bdi>
        </Title>
        {description === null ? null : (
          <ExpandableText label={`what ${name} is for`}>{description}</ExpandableText>
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
  startDrag,
}: Pick<Props, 'position' | 'total' | 'move' | 'startDrag'> & { readonly name: string }) {
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
    const handle = event.currentTarget
    requestAnimationFrame(() => handle.closest('li')?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      className={classes.handle}
      aria-label={`Move ${name}`}
      aria-keyshortcuts="ArrowUp ArrowDown Home End"
      title="Drag it, or press the arrow keys"
      onPointerDown={startDrag}
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
}: Omit<Props, 'canChange' | 'startDrag'>) {
  const confirmDelete = useDeleteDepartment()
  return (
    <Menu position="bottom-end" width={272} returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Change ${department.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEdit size={16} stroke={1.7} aria-hidden />} onClick={edit}>
          Name, colour and description
        </Menu.Item>
        <Menu.Item leftSection={<IconUsers size={16} stroke={1.7} aria-hidden />} onClick={editMembers}>
          Members and lead
        </Menu.Item>
        {total > 1 ? (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconArrowUp size={16} stroke={1.7} aria-hidden />}
              disabled={position === 0}
              onClick={() => move(position - 1)}
            >
              Move up
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={16} stroke={1.7} aria-hidden />}
              disabled={position === total - 1}
              onClick={() => move(position + 1)}
            >
              Move down
            </Menu.Item>
          </>
        ) : null}
        <Menu.Divider />
        <DangerMenuItem
          leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
          onClick={() => confirmDelete(department)}
        >
          Delete
        </DangerMenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}
