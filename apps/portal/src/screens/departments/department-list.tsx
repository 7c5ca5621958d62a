import { closestCenter, DndContext, type Modifier, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { Department } from './department-data.ts'
import { DepartmentRow, type DepartmentRowProps } from './department-row.tsx'
import classes from './departments.module.css'
import { useDepartmentOrder } from './use-department-order.ts'

interface Props {
  readonly departments: readonly Department[]
  readonly canChange: boolean
  readonly edit: (department: Department) => void
  readonly editMembers: (department: Department) => void
}

const modifiers: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })]

/** The departments in their order. With permission, they are reordered by dragging, with keys, or from the menu. */
export function DepartmentList({ departments, canChange, edit, editMembers }: Props) {
  const { orderedDepartments, announcement, move } = useDepartmentOrder(departments)
  const [isDragging, setIsDragging] = useState(false)
  // No KeyboardSensor: the arrow keys on a handle move an item at once, without picking it up first.
  const sensors = useSensors(useSensor(PointerSensor))
  const total = orderedDepartments.length
  const getPosition = (id: unknown) => orderedDepartments.findIndex((department) => department.id === id)
  const describePlace = (id: unknown, at: unknown) =>
    `“${orderedDepartments[getPosition(id)]?.name}” is over position ${getPosition(at) + 1} of ${total}.`
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
          const department = orderedDepartments[getPosition(active.id)]
          if (department && over && over.id !== active.id) move(department, getPosition(over.id))
        }}
      >
        <SortableContext
          items={orderedDepartments.map(({ id }) => id)}
          strategy={verticalListSortingStrategy}
        >
          <ol
            className={classes.list}
            aria-label="Departments in order"
            data-dragging={isDragging || undefined}
          >
            {orderedDepartments.map((department, index) => (
              <SortableRow
                key={department.id}
                department={department}
                position={index}
                total={total}
                canChange={canChange}
                edit={() => edit(department)}
                editMembers={() => editMembers(department)}
                move={(to) => move(department, to)}
              />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  )
}

function SortableRow(props: Omit<DepartmentRowProps, 'handle'>) {
  const { department, canChange } = props
  const sortable = useSortable({ id: department.id, disabled: !canChange })
  const { transform, isDragging } = sortable
  return (
    <li
      ref={sortable.setNodeRef}
      className={classes.row}
      data-dragged={isDragging || undefined}
      style={{
        borderInlineStartColor: department.color ?? undefined,
        ...(transform && { transform: `translateY(${transform.y}px)` }),
      }}
    >
      <DepartmentRow
        {...props}
        handle={{ ref: sortable.setActivatorNodeRef, listeners: sortable.listeners }}
      />
    </li>
  )
}
