import { openE2eSession } from './e2e-session.ts'
import { getStaff } from './staff-members.ts'

/** A place with a staff of several ranks and a browser, for all tests of a file. */
export async function openStaffSession() {
  const e2e = await openE2eSession()
  const { server, owner } = e2e
  const { workspaceId } = owner
  const staff = await getStaff({ server, owner, workspaceId })

  /** Makes an account that is a member with these roles. @returns a session of theirs */
  async function addMember(username: string, roleIds = ''): Promise<string> {
    await server.createAccount(username)
    await e2e.requestAsOwner('POST', '/portal/api/members', { username, roleIds })
    return server.session(username)
  }
  return {
    ...e2e,
    workspaceId,
    staff,
    addMember,
    /** Opens the screen of who is here. */
    openPeopleScreen: (session: string, query = '', options = {}) =>
      e2e.openScreen(session, `/w/${workspaceId}/people${query}`, 'People', options),
    /** Reads in the workspace as its owner. */
    readAsOwner: async (path: string, query: Readonly<Record<string, string>> = {}) =>
      (await server.requestOk('GET', `${path}?${new URLSearchParams({ workspaceId, ...query })}`, owner))
        .body,
  }
}

export type StaffSession = Awaited<ReturnType<typeof openStaffSession>>
