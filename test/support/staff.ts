import { peopleIn } from './people.ts'
import { openStay } from './stay.ts'

/** A place with a staff of several ranks and a browser, for all tests of a file. */
export async function openStaff() {
  const stay = await openStay()
  const { place, owner } = stay
  const { workspaceId } = owner
  const staff = await peopleIn({ place, owner, workspaceId })

  /** Makes an account that is a member with these roles. @returns a session of theirs */
  async function join(username: string, roleIds = ''): Promise<string> {
    await place.account(username)
    await stay.asOwner('POST', '/portal/api/members', { username, roleIds })
    return place.session(username)
  }
  return {
    ...stay,
    workspaceId,
    staff,
    join,
    /** Opens the screen of who is here. */
    openPeople: (session: string, query = '', options = {}) =>
      stay.visit(session, `/w/${workspaceId}/people${query}`, 'People', options),
    /** Reads in the workspace as its owner. */
    read: async (path: string, query: Readonly<Record<string, string>> = {}) =>
      (await place.must('GET', `${path}?${new URLSearchParams({ workspaceId, ...query })}`, owner)).body,
  }
}

export type Staff = Awaited<ReturnType<typeof openStaff>>
