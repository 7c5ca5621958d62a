import type { Page } from 'playwright-core'
import { chooseMenuItem, DESKTOP } from './page-actions.ts'
import { openStaffSession } from './staff-session.ts'

export const DEPARTMENTS_PATH = '/portal/api/departments'

/** A department in a portal response. */
interface DepartmentJson {
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

/** A staff session with helpers for departments. */
export async function openDepartmentsSession() {
  const e2e = await openStaffSession()
  const { owner, readAsOwner, requestAsOwner } = e2e

  const listDepartments = async (workspaceId: string): Promise<DepartmentJson[]> =>
    (await readAsOwner(DEPARTMENTS_PATH, { workspaceId })).departments
  const findDepartment = async (workspaceId: string, name: string): Promise<DepartmentJson | undefined> =>
    (await listDepartments(workspaceId)).find((department) => department.name === name)
  const listDepartmentNames = async (workspaceId: string): Promise<string[]> =>
    (await listDepartments(workspaceId)).map(({ name }) => name)

  const createDepartment = async (
    name: string,
    fields: object = {},
    workspaceId = e2e.workspaceId,
  ): Promise<string> =>
    (await requestAsOwner('POST', '/api/departments', { name, ...fields }, workspaceId)).department.id
  const updateDepartment = (id: string, fields: object, workspaceId = e2e.workspaceId) =>
    requestAsOwner('PATCH', '/api/departments', { id, ...fields }, workspaceId)
  const findAccountId = async (username: string): Promise<string> => {
    const { members } = await readAsOwner('/portal/api/members', { q: username })
    return members.find((member: { username: string }) => member.username === username).accountId
  }

  /** Creates a workspace with departments of these names, in this order. */
  async function createWorkspaceWithDepartments(...departmentNames: string[]) {
    const workspaceId = await e2e.createWorkspace(departmentNames.join(' and ') || 'Brand new')
    const ids: string[] = []
    for (const name of departmentNames) ids.push(await createDepartment(name, {}, workspaceId))
    return { workspaceId, ids }
  }

  const openDepartmentsScreen = (
    session = owner.session,
    workspaceId = e2e.workspaceId,
    options: object = DESKTOP,
  ) => e2e.openScreen(`/w/${workspaceId}/departments`, { session, heading: 'Departments', browser: options })

  return {
    ...e2e,
    listDepartments,
    findDepartment,
    listDepartmentNames,
    createDepartment,
    updateDepartment,
    findAccountId,
    createWorkspaceWithDepartments,
    openDepartmentsScreen,
  }
}

export const chooseDepartmentAction = (page: Page, name: string, item: string): Promise<void> =>
  chooseMenuItem(page, `Change ${name}`, item)

/** Blocks the reads of departments, so that the page misses changes of others. */
export const blockDepartmentReads = (page: Page) =>
  page.route('**/portal/api/departments?*', (route) => route.abort())
export const unblockDepartmentReads = (page: Page) => page.unroute('**/portal/api/departments?*')
