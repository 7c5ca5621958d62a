import type { Permission } from '@reeve/core'
import { useHasPermission, useWorkspace } from '../api/me.ts'

/** Whether the user has a permission in a workspace that is not archived. */
export function useCanEdit(permission: Permission): boolean {
  const { isArchived } = useWorkspace()
  const hasPermission = useHasPermission(permission)
  return hasPermission && !isArchived
}
