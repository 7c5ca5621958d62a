import { type Permission, permissionCatalog } from '@reeve/core'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from './empty-error-loading.tsx'

interface Props {
  /** What the reader lacks. */
  readonly permission: Permission
  readonly children?: ReactNode
}

/** Stands where a reader came by an address whose screen is not for them, and says who can change that. */
export const Forbidden = ({ permission, children }: Props) => (
  <EmptyState icon={IconLock} title="This is not for you to see" action={children}>
    None of your roles has the permission for it: “{permissionCatalog[permission]}” Whoever manages roles here
    can give it to you.
  </EmptyState>
)
