import { openE2eSession } from './e2e-session.ts'
import { getStaff } from './staff-members.ts'

/** An e2e session whose workspace has members of several ranks. */
export async function openStaffSession() {
  const e2e = await openE2eSession()
  const { server, owner } = e2e
  const { workspaceId } = owner
  const staff = await getStaff({ server, owner, workspaceId })

  /** Creates an account that is a member with these roles. @returns its session token */
  const addMember = (username: string, roleIds = ''): Promise<string> =>
    server.addMember(owner, username, roleIds)
  return {
    ...e2e,
    workspaceId,
    staff,
    addMember,
    openPeopleScreen: (session: string, query = '', browser = {}) =>
      e2e.openScreen(`/w/${workspaceId}/people${query}`, { session, heading: 'People', browser }),
  }
}
