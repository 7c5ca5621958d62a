import { pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { getStaff } from '../support/staff-members.ts'

const departments = [
  {
    name: 'Public relations',
    color: '#2f7de1',
    description:
      'Answers the community in the forum and on the wall, writes what is announced, and gathers what players wish for.',
    people: ['lee', 'juniper', 'ash'],
  },
  {
    name: 'Trainers',
    color: '#3f9b4f',
    description: 'Show newcomers how a shift goes.\nEvery Tuesday and Saturday.',
    people: ['sena', 'ash', 'robin', 'ada', 'juniper', 'lee', 'newcomer'],
  },
  { name: 'Map makers', color: '#e07b21', people: ['ada'] },
  { name: 'Night watch', people: [] },
] as const

const HEADING = 'Departments'
const path = '/w/$/departments'

/** A separate workspace without departments. */
let emptyWorkspaceId = ''

async function prepare({ server, owner, workspaceId }: ScreenContext): Promise<void> {
  await getStaff({ server, owner, workspaceId })
  const { session } = owner
  const postInWorkspace = async (path: string, body: object) =>
    (await server.requestOk('POST', path, { session, body: { workspaceId, ...body } })).body
  const members: readonly { readonly accountId: string; readonly username: string }[] = (
    await server.requestOk(
      'GET',
      `/portal/api/members?${new URLSearchParams({ workspaceId, limit: '200' })}`,
      {
        session,
      },
    )
  ).body.members
  const findAccountId = (name: string) => members.find(({ username }) => username === name)?.accountId
  for (const { people: memberNames, ...department } of departments) {
    const { id } = (await postInWorkspace('/api/departments', department)).department
    if (memberNames.length === 0) continue
    const accountIds = memberNames.map(findAccountId).join(',')
    await postInWorkspace('/portal/api/departments/members', {
      id,
      accountIds,
      leadId: findAccountId(memberNames[0]),
    })
  }
  const { id } = (await postInWorkspace('/api/departments', { name: 'Racing', color: '#9a4fc9' })).department
  await postInWorkspace('/api/departments', { id, action: 'delete' })
  const created = await server.requestOk('POST', '/api/workspaces', {
    session,
    body: { groupName: 'Day Shift' },
  })
  emptyWorkspaceId = String(created.body.workspace.id)
}

/** The list of departments, its dialogs, and deleted departments. */
export const screens: ScreenFile = {
  prepare,
  states: [
    {
      name: 'departments',
      path,
      heading: HEADING,
      arrange: (page) => page.getByText('Night watch', { exact: true }).waitFor(),
    },
    {
      name: 'departments-read',
      path,
      heading: HEADING,
      as: async (context) => (await getStaff(context)).lead,
      arrange: (page) => page.getByText('Night watch', { exact: true }).waitFor(),
    },
    { name: 'departments-empty', path: () => `/w/${emptyWorkspaceId}/departments`, heading: HEADING },
    {
      name: 'departments-taken',
      path,
      heading: HEADING,
      allowedErrors: /status of 409/,
      async arrange(page) {
        await pressButton(page, 'Change Trainers')
        await page.getByRole('menuitem', { name: 'Name, color and description' }).click()
        await page.getByLabel('Name', { exact: true }).fill('public relations')
        await pressButton(page, 'Save')
        await page.getByText('Name is already used').waitFor()
      },
    },
    {
      name: 'departments-members',
      path,
      heading: HEADING,
      async arrange(page) {
        await pressButton(page, 'Change Public relations')
        await page.getByRole('menuitem', { name: 'Members and lead' }).click()
        await page.getByRole('dialog').getByText('3 people').waitFor()
      },
    },
    {
      name: 'departments-menu',
      path,
      heading: HEADING,
      async arrange(page) {
        await pressButton(page, 'Change Trainers')
        await page.getByRole('menuitem', { name: 'Move up' }).waitFor()
      },
    },
    {
      name: 'departments-delete',
      path,
      heading: HEADING,
      async arrange(page) {
        await pressButton(page, 'Change Trainers')
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByText('Delete the department “Trainers”?').waitFor()
      },
    },
    {
      name: 'departments-deleted',
      path: `${path}?view=deleted`,
      heading: HEADING,
      arrange: (page) => page.getByRole('button', { name: 'Restore Racing' }).waitFor(),
    },
  ],
}
