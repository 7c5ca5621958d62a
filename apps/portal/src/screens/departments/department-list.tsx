import { useEndpointState } from '../../components/endpoint-state.tsx'
import { SortableList } from '../../components/sortable-list.tsx'
import type { Department } from './department-data.ts'
import { DepartmentRow } from './department-row.tsx'
import classes from './departments.module.css'
import { useDepartmentOrder } from './use-department-order.ts'

interface Props {
  readonly departments: readonly Department[]
  readonly canChange: boolean
  readonly edit: (department: Department) => void
  readonly editMembers: (department: Department) => void
}

/** The departments in their order. With permission, they are reordered by dragging, with keys, or from the menu. */
export function DepartmentList({ departments, canChange, edit, editMembers }: Props) {
  const { orderedItems, announcement, move } = useDepartmentOrder(departments)
  const { blockedReason } = useEndpointState('departments')
  const total = orderedItems.length
  return (
    <SortableList
      items={orderedItems}
      label="Departments in order"
      canMove={() => canChange && blockedReason === null && total > 1}
      move={move}
      announcement={announcement}
      listClass={classes.list}
      rowClass={classes.row}
      rowStyle={({ color }) => (color === null ? {} : { borderInlineStartColor: color })}
    >
      {(department, position, handle) => (
        <DepartmentRow
          department={department}
          position={position}
          total={total}
          canChange={canChange}
          handle={handle}
          edit={() => edit(department)}
          editMembers={() => editMembers(department)}
          move={(to) => move(department, to)}
        />
      )}
    </SortableList>
  )
}
