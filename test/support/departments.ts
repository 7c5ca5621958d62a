import type { Page } from 'playwright-core'
import { press } from './portal.ts'
import { openStaff } from './staff.ts'

/** Where the portal reads the departments, and who is in them. */
export const LIST = '/portal/api/departments'

/** A department as the portal reads it. */
interface Shown {
  readonly id: string
  readonly name: string
  readonly color: string | null
  readonly description: string | null
  readonly members: readonly {
    readonly accountId: string
    readonly username: string
    readonly isLead: string
  }[]
}

const DESK = { viewport: { width: 1440, height: 900 } }

/** A staff and a browser for all tests of a file, and what these do about departments. */
export async function openDepartments() {
  const staff = await openStaff()
  const { owner, read, asOwner } = staff

  const departments = async (workspaceId: string): Promise<Shown[]> =>
    (await read(LIST, { workspaceId })).departments
  const named = async (workspaceId: string, name: string): Promise<Shown | undefined> =>
    (await departments(workspaceId)).find((one) => one.name === name)
  const names = async (workspaceId: string): Promise<string[]> =>
    (await departments(workspaceId)).map(({ name }) => name)

  const make = async (name: string, more: object = {}, workspaceId = staff.workspaceId): Promise<string> =>
    (await asOwner('POST', '/api/departments', { name, ...more }, workspaceId)).department.id
  const change = (id: string, more: object, workspaceId = staff.workspaceId) =>
    asOwner('PATCH', '/api/departments', { id, ...more }, workspaceId)
  const accountOf = async (username: string): Promise<string> => {
    const { members } = await read('/portal/api/members', { q: username })
    return members.find((one: { username: string }) => one.username === username).accountId
  }

  /** A workspace of its own with departments of these names, in this order. */
  async function withDepartments(...all: string[]) {
    const workspaceId = await staff.workspace(all.join(' and ') || 'Brand new')
    const ids: string[] = []
    for (const name of all) ids.push(await make(name, {}, workspaceId))
    return { workspaceId, ids }
  }

  /** Opens the screen. */
  const open = (session = owner.session, workspaceId = staff.workspaceId, options: object = DESK) =>
    staff.visit(session, `/w/${workspaceId}/departments`, 'Departments', options)

  return { ...staff, departments, named, names, make, change, accountOf, withDepartments, open }
}

export type Departments = Awaited<ReturnType<typeof openDepartments>>

/** Chooses what to do with a department. */
export async function choose(page: Page, name: string, item: string): Promise<void> {
  await press(page, `Change ${name}`)
  await page.getByRole('menuitem', { name: item }).click()
}

/** What a browser would have to be blocked from reading to miss what somebody else does. */
export const unaware = (page: Page) => page.route('**/portal/api/departments?*', (route) => route.abort())
export const aware = (page: Page) => page.unroute('**/portal/api/departments?*')
