import { VisuallyHidden } from '@mantine/core'
import type { Department } from './department-data.ts'
import { DepartmentRow } from './department-row.tsx'
import classes from './departments.module.css'
import { shiftOf, useDrag } from './use-drag.ts'
import { useOrder } from './use-order.ts'

interface Props {
  readonly departments: readonly Department[]
  readonly mayChange: boolean
  readonly edit: (department: Department) => void
  readonly staff: (department: Department) => void
}

/** The departments in their order, which whoever may can change: by dragging, by keys, or from the menu. */
export function DepartmentList({ departments, mayChange, edit, staff }: Props) {
  const { shown, told, move } = useOrder(departments)
  const { held, begin } = useDrag((id, to) => {
    const department = shown.find((one) => one.id === id)
    if (department) move(department, to)
  })
  return (
    <>
      <ol
        className={classes.list}
        aria-label="Departments in their order"
        data-drags={held !== null || undefined}
      >
        {shown.map((department, index) => (
          <li
            key={department.id}
            className={classes.row}
            data-held={held?.id === department.id || undefined}
            style={{
              borderInlineStartColor: department.color ?? undefined,
              ...(held && { transform: `translateY(${shiftOf(held, index)}px)` }),
            }}
          >
            <DepartmentRow
              department={department}
              place={index}
              total={shown.length}
              mayChange={mayChange}
              edit={() => edit(department)}
              staff={() => staff(department)}
              move={(to) => move(department, to)}
              grab={(event) => begin(event, department.id)}
            />
          </li>
        ))}
      </ol>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
    </>
  )
}
