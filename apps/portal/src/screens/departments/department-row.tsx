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
import { DangerItem } from '../../components/danger-item.tsx'
import { useDeleteDepartment } from './delete-department.tsx'
import type { Department } from './department-data.ts'
import classes from './departments.module.css'
import { LongText } from './long-text.tsx'
import { PeopleIn } from './people-in.tsx'

interface Props {
  readonly department: Department
  /** Where it stands, counted from 0. */
  readonly place: number
  readonly total: number
  readonly mayChange: boolean
  readonly edit: () => void
  readonly staff: () => void
  readonly move: (to: number) => void
  readonly grab: (event: PointerEvent<HTMLElement>) => void
}

/** One department: what it is, who is in it, and what the reader can do with it. */
export function DepartmentRow({ department, mayChange, staff, ...props }: Props) {
  const { name, description } = department
  return (
    <>
      {mayChange && props.total > 1 ? <Handle name={name} {...props} /> : null}
      <div className={classes.text}>
        <Title order={2} className={classes.name}>
          <bdi>{name}</bdi>
        </Title>
        {description === null ? null : <LongText what={`what ${name} is for`}>{description}</LongText>}
        <PeopleIn department={department} choose={mayChange ? staff : null} />
      </div>
      {mayChange ? <Actions department={department} staff={staff} {...props} /> : null}
    </>
  )
}

function Handle({
  name,
  place,
  total,
  move,
  grab,
}: Pick<Props, 'place' | 'total' | 'move' | 'grab'> & { readonly name: string }) {
  const places: Readonly<Record<string, number>> = {
    ArrowUp: place - 1,
    ArrowDown: place + 1,
    Home: 0,
    End: total - 1,
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const to = places[event.key]
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
      onPointerDown={grab}
      onKeyDown={press}
    >
      <IconGripVertical size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}

function Actions({ department, place, total, edit, staff, move }: Omit<Props, 'mayChange' | 'grab'>) {
  const askToDelete = useDeleteDepartment()
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
        <Menu.Item leftSection={<IconUsers size={16} stroke={1.7} aria-hidden />} onClick={staff}>
          Members and lead
        </Menu.Item>
        {total > 1 ? (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconArrowUp size={16} stroke={1.7} aria-hidden />}
              disabled={place === 0}
              onClick={() => move(place - 1)}
            >
              Move up
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={16} stroke={1.7} aria-hidden />}
              disabled={place === total - 1}
              onClick={() => move(place + 1)}
            >
              Move down
            </Menu.Item>
          </>
        ) : null}
        <Menu.Divider />
        <DangerItem
          leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
          onClick={() => askToDelete(department)}
        >
          Delete
        </DangerItem>
      </Menu.Dropdown>
    </Menu>
  )
}
