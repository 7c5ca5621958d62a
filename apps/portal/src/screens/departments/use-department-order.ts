import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { usePendingOrder } from '../../components/use-pending-order.ts'
import { type Department, departmentsKey, departmentsQuery } from './department-data.ts'

/** The departments in the order that the user last chose; it is saved after a short pause. */
export function useDepartmentOrder(departments: readonly Department[]) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return usePendingOrder(departments, {
    conflict: 'someone else has added or deleted a department in the meantime.',
    async save(ids) {
      const body = { workspaceId, ids }
      const response = await unwrap(api.POST('/portal/api/departments/order', { body }))
      const { queryKey } = departmentsQuery(workspaceId)
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, response.departments)
    },
    refetch: () => void client.invalidateQueries({ queryKey: departmentsKey(workspaceId) }),
  })
}
