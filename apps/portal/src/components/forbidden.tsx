import type { Permission } from '@reeve/core'
import { IconLock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { EmptyState } from './empty-error-loading.tsx'

interface Props {
  /** The permission that the user lacks. */
  readonly permission: Permission
  readonly children?: ReactNode
}

/** Replaces a screen that the user has no permission for. */
export const Forbidden = ({ permission, children }: Props) => (
  <EmptyState icon={IconLock} title="You don’t have access" action={children}>
    None of your roles has the required permission: “{usePermissionDescription(permission)}” Someone who
    manages roles can give it to you.
  </EmptyState>
)

/** What a permission allows: its name until the descriptions, which few users need, are loaded. */
function usePermissionDescription(permission: Permission): string {
  const [description, setDescription] = useState<string>(permission)
  useEffect(() => {
    import('./permission-description.ts').then(
      ({ describePermission }) => setDescription(describePermission(permission)),
      () => setDescription(permission),
    )
  }, [permission])
  return description
}
