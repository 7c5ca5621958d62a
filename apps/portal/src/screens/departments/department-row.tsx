import { ActionIcon, Menu, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconEdit, IconTrash, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DangerMenuItem } from '../../components/danger-menu-item.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { ExpandableText } from '../../components/expandable-text.tsx'
import type { Department } from './department-data.ts'
import { DepartmentMembers } from './department-members.tsx'
import classes from './departments.module.css'
import { useDeleteDepartment } from './use-delete-department.ts'

interface DepartmentRowProps {
  readonly department: Department
  /** Its index in the list. */
  readonly position: number
  readonly total: number
  readonly canChange: boolean
  readonly edit: () => void
  readonly editMembers: () => void
  readonly move: (to: number) => void
  /** Moves it in the list; null if the user cannot. */
  readonly handle: ReactNode
}

/** One department with its members and actions. */
export function DepartmentRow({ department, canChange, handle, editMembers, ...props }: DepartmentRowProps) {
  const { name, description } = department
  return (
    <>
      {handle}
      <div className={classes.text} id={`department-${department.id}`}>
        <Title order={2} className={classes.name}>
          <bdi>{name}</bdi>
        </Title>
        {description === null ? null : (
          <div className={classes.description}>
            <ExpandableText size="sm" lines={5} label={`the description of ${name}`}>
              {description}
            </ExpandableText>
          </div>
        )}
        <DepartmentMembers department={department} editMembers={canChange ? editMembers : null} />
      </div>
      {canChange ? <Actions department={department} editMembers={editMembers} {...props} /> : null}
    </>
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
