import { type Permission, permissionCatalog } from '@reeve/core'

/** What a permission allows, as a sentence. */
export const describePermission = (permission: Permission): string => permissionCatalog[permission]
