import type { Permission } from '@reeve/core'
import type { ReactNode } from 'react'
import { useHasPermission, useWorkspace } from '../api/me.ts'

/** Shows what is inside to those who may. A write besides needs a workspace that is not archived: `useMayChange`. */
export const PermissionGate = ({
  permission,
  children,
}: {
  readonly permission: Permission
  readonly children: ReactNode
}) => (useHasPermission(permission) ? children : null)

/** Whether the reader may change something that this permission is for: an archived workspace stays as it is. */
export function useCanEdit(permission: Permission): boolean {
  const { isArchived } = useWorkspace()
  const hasPermission = useHasPermission(permission)
  return hasPermission && !isArchived
}
