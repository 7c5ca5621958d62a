import { peopleIn } from '../support/people.ts'
import { press } from '../support/portal.ts'
import type { Scene, Screens } from '../support/scene.ts'

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

const NAME = 'Departments'
const at = '/w/$/departments'

/** A workspace of its own without any department. */
let empty = ''

async function prepare({ place, owner, workspaceId }: Scene): Promise<void> {
  await peopleIn({ place, owner, workspaceId })
  const { session } = owner
  const make = async (path: string, body: object) =>
    (await place.must('POST', path, { session, body: { workspaceId, ...body } })).body
  const members: readonly { readonly accountId: string; readonly username: string }[] = (
    await place.must('GET', `/portal/api/members?${new URLSearchParams({ workspaceId, limit: '200' })}`, {
      session,
    })
  ).body.members
  const idOf = (name: string) => members.find(({ username }) => username === name)?.accountId
  for (const { people, ...department } of departments) {
    const { id } = (await make('/api/departments', department)).department
    if (people.length === 0) continue
    const accountIds = people.map(idOf).join(',')
    await make('/portal/api/departments/members', { id, accountIds, leadId: idOf(people[0]) })
  }
  const { id } = (await make('/api/departments', { name: 'Racing', color: '#9a4fc9' })).department
  await make('/api/departments', { id, action: 'delete' })
  const made = await place.must('POST', '/api/workspaces', { session, body: { groupName: 'Day Shift' } })
  empty = String(made.body.workspace.id)
}

/** Departments: the list, what is done with one, and what was deleted. */
export const screens: Screens = {
  prepare,
  looks: [
    {
      name: 'departments',
      at,
      heading: NAME,
      reach: (page) => page.getByText('Night watch', { exact: true }).waitFor(),
    },
    {
      name: 'departments-read',
      at,
      heading: NAME,
      as: async (scene) => (await peopleIn(scene)).lead,
      reach: (page) => page.getByText('Night watch', { exact: true }).waitFor(),
    },
    { name: 'departments-empty', at: () => `/w/${empty}/departments`, heading: NAME },
    {
      name: 'departments-taken',
      at,
      heading: NAME,
      complaints: /status of 409/,
      async reach(page) {
        await press(page, 'Change Trainers')
        await page.getByRole('menuitem', { name: 'Name, colour and description' }).click()
        await page.getByLabel('Name', { exact: true }).fill('public relations')
        await press(page, 'Save')
        await page.getByText('Name is taken').waitFor()
      },
    },
    {
      name: 'departments-members',
      at,
      heading: NAME,
      async reach(page) {
        await press(page, 'Change Public relations')
        await page.getByRole('menuitem', { name: 'Members and lead' }).click()
        await page.getByRole('dialog').getByText('3 people').waitFor()
      },
    },
    {
      name: 'departments-menu',
      at,
      heading: NAME,
      async reach(page) {
        await press(page, 'Change Trainers')
        await page.getByRole('menuitem', { name: 'Move up' }).waitFor()
      },
    },
    {
      name: 'departments-delete',
      at,
      heading: NAME,
      async reach(page) {
        await press(page, 'Change Trainers')
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByText('Delete the department “Trainers”?').waitFor()
      },
    },
    {
      name: 'departments-deleted',
      at: `${at}?view=deleted`,
      heading: NAME,
      reach: (page) => page.getByRole('button', { name: 'Restore Racing' }).waitFor(),
    },
  ],
}
