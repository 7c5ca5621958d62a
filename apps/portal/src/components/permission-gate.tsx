import type { Permission } from '@reeve/core'
import type { ReactNode } from 'react'
import { useHasPermission, useWorkspace } from '../api/me.ts'

/** Shows its children to users with a permission. Writes also need a workspace that is not archived: see `useCanEdit`. */
export const PermissionGate = ({
  permission,
  children,
}: {
  readonly permission: Permission
  readonly children: ReactNode
}) => (useHasPermission(permission) ? children : null)

/** Whether the user has a permission in a workspace that is not archived. */
export function useCanEdit(permission: Permission): boolean {
  const { isArchived } = useWorkspace()
  const hasPermission = useHasPermission(permission)
  return hasPermission && !isArchived
}
