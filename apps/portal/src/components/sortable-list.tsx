import { closestCenter, DndContext, type Modifier, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useState } from 'react'
import classes from './sortable-list.module.css'

interface SortableItem {
  readonly id: string
  readonly name: string
}

interface Props<Item extends SortableItem> {
  readonly items: readonly Item[]
  /** The accessible name of the list. */
  readonly label: string
  /** Whether the user can move an item. Others have no handle, and nothing is dropped on them. */
  readonly canMove: (item: Item) => boolean
  /** Moves an item to an index. */
  readonly move: (item: Item, position: number) => void
  /** The last change, for screen readers. */
  readonly announcement: string
  readonly listClass?: string | undefined
  readonly rowClass?: string | undefined
  readonly rowStyle?: (item: Item) => CSSProperties
  /** Renders a row. `handle` starts a drag and moves the item with the arrow keys; null if the user cannot move it. */
  readonly children: (item: Item, position: number, handle: ReactNode) => ReactNode
}

const modifiers: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })]

/** A list that is reordered by dragging with a mouse or finger, or with the arrow keys on the handle of a row. */
export function SortableList<Item extends SortableItem>(props: Props<Item>) {
  const { items, label, move, announcement, listClass = '' } = props
  const [isDragging, setIsDragging] = useState(false)
  // No KeyboardSensor: the arrow keys on a handle move an item at once, without picking it up first.
  const sensors = useSensors(useSensor(PointerSensor))
  const getPosition = (id: unknown) => items.findIndex((item) => item.id === id)
  const describePlace = (id: unknown, at: unknown) =>
    `“${items[getPosition(id)]?.name}” is over position ${getPosition(at) + 1} of ${items.length}.`
  return (
    <>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        modifiers={modifiers}
        accessibility={{
          screenReaderInstructions: { draggable: '' },
          announcements: {
            onDragStart: () => undefined,
            onDragOver: ({ active, over }) => describePlace(active.id, over?.id),
            onDragEnd: () => undefined,
            onDragCancel: () => 'Canceled. The order has not changed.',
          },
        }}
        onDragStart={() => setIsDragging(true)}
        onDragCancel={() => setIsDragging(false)}
        onDragEnd={({ active, over }) => {
          setIsDragging(false)
          const item = items[getPosition(active.id)]
          if (item && over && over.id !== active.id) move(item, getPosition(over.id))
        }}
      >
        <SortableContext items={items.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <ol
            className={`${classes.list} ${listClass}`}
            aria-label={label}
            data-dragging={isDragging || undefined}
          >
            {items.map((item, index) => (
              <SortableRow key={item.id} item={item} position={index} list={props} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  )
}

interface RowProps<Item extends SortableItem> {
  readonly item: Item
  readonly position: number
  readonly list: Props<Item>
}

function SortableRow<Item extends SortableItem>({ item, position, list }: RowProps<Item>) {
  const canMove = list.canMove(item)
  const { setNodeRef, transform, isDragging, setActivatorNodeRef, listeners } = useSortable({
    id: item.id,
    disabled: !canMove,
  })
  const handle = canMove ? (
    <Handle
      name={item.name}
      position={position}
      total={list.items.length}
      move={(to) => list.move(item, to)}
      activator={{ ref: setActivatorNodeRef, listeners }}
    />
  ) : null
  return (
    <li
      ref={setNodeRef}
      className={list.rowClass}
      data-dragged={isDragging || undefined}
      style={{
        ...list.rowStyle?.(item),
        ...(transform && { transform: `translateY(${transform.y}px)` }),
      }}
    >
      {list.children(item, position, handle)}
    </li>
  )
}

type Sortable = ReturnType<typeof useSortable>

interface HandleProps {
  readonly name: string
  readonly position: number
  readonly total: number
  readonly move: (to: number) => void
  /** What makes the handle start a drag. */
  readonly activator: {
    readonly ref: Sortable['setActivatorNodeRef']
    readonly listeners: Sortable['listeners']
  }
}

function Handle({ name, position, total, move, activator }: HandleProps) {
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
      ref={activator.ref}
      variant="subtle"
      color="gray"
      size={36}
      className={classes.handle}
      aria-label={`Move ${name}`}
      aria-keyshortcuts="ArrowUp ArrowDown Home End"
      title="Drag to reorder, or use the arrow keys"
      {...activator.listeners}
      onKeyDown={handleKeyDown}
    >
      <IconGripVertical size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
