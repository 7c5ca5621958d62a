import { VisuallyHidden } from '@mantine/core'
import type { Department } from './department-data.ts'
import { DepartmentRow } from './department-row.tsx'
import classes from './departments.module.css'
import { useDepartmentOrder } from './use-department-order.ts'
import { getShift, useDragSort } from './use-drag-sort.ts'

interface Props {
  readonly departments: readonly Department[]
  readonly canChange: boolean
  readonly edit: (department: Department) => void
  readonly editMembers: (department: Department) => void
}

/** The departments in their order, which whoever may can change: by dragging, by keys, or from the menu. */
export function DepartmentList({ departments, canChange, edit, editMembers }: Props) {
  const { orderedDepartments, announcement, move } = useDepartmentOrder(departments)
  const { drag, startDrag } = useDragSort((id, to) => {
    const department = orderedDepartments.find((candidate) => candidate.id === id)
    if (department) move(department, to)
  })
  return (
    <>
      <ol
        className={classes.list}
        aria-label="Departments in their order"
        data-drags={drag !== null || undefined}
      >
        {orderedDepartments.map((department, index) => (
          <li
            key={department.id}
            className={classes.row}
            data-held={drag?.id === department.id || undefined}
            style={{
              borderInlineStartColor: department.color ?? undefined,
              ...(drag && { transform: `translateY(${getShift(drag, index)}px)` }),
            }}
          >
            <DepartmentRow
              department={department}
              position={index}
              total={orderedDepartments.length}
              canChange={canChange}
              edit={() => edit(department)}
              editMembers={() => editMembers(department)}
              move={(to) => move(department, to)}
              startDrag={(event) => startDrag(event, department.id)}
            />
          </li>
        ))}
      </ol>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  )
}
