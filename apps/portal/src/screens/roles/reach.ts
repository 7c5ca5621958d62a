import type { Permission } from '@reeve/core'
import type { Workspace } from '../../api/me.ts'
import { permissionWords } from '../../components/permission-words.ts'
import type { Role } from './role-data.ts'

/** Who acts: what decides how far they reach. */
export type Reader = Pick<Workspace, 'rank' | 'permissions'>

/** Why something of a rank is out of the reader's reach; null where it is not. @param whose `Its`, or `The rank of kim` */
const outranked = (reader: Reader, rank: number, whose = 'Its rank'): string | null =>
  rank < reader.rank ? null : `${whose}, ${rank}, is not below yours, ${reader.rank}.`

/** Why the reader cannot change a role; null where they can. */
export function whyNoChange(reader: Reader, role: Pick<Role, 'rank' | 'isOwner'>): string | null {
  if (role.isOwner) return 'The owner holds every permission; this role stays as it is.'
  return outranked(reader, role.rank)
}

/** Why the reader cannot give a role a permission that it does not have; null where they can. */
export function whyNoGrant(reader: Reader, role: Role, permission: Permission): string | null {
  const reason = whyNoChange(reader, role)
  if (reason !== null) return reason
  if (role.permissions.has(permission) || reader.permissions.has(permission)) return null
  return 'You do not have this permission yourself, so you cannot give it.'
}

/** Why the reader cannot hand a role to somebody; null where they can. */
export function whyNoAssigning(reader: Reader, role: Role): string | null {
  if (role.isOwner) return 'A workspace has one owner.'
  const reason = outranked(reader, role.rank)
  if (reason !== null) return reason
  const [first, ...more] = [...role.permissions].filter((permission) => !reader.permissions.has(permission))
  if (first === undefined) return null
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return `It gives what you do not have yourself: ${permissionWords(first)}${others}.`
}

interface Person {
  readonly username: string
  readonly rank: string
  readonly isOwner: string
}

/** Why the reader cannot change or remove a member; null where they can. */
export function whyOutOfReach(reader: Reader, { username, rank, isOwner }: Person): string | null {
  if (isOwner === 'true') return `${username} owns this workspace.`
  return outranked(reader, Number(rank), `The rank of ${username}`)
}

/** What of another role the reader can give: what they have themselves. */
export const grantable = (reader: Reader, roles: readonly Role[], id: string): Permission[] =>
  [...(roles.find((role) => role.id === id)?.permissions ?? [])].filter((one) => reader.permissions.has(one))
