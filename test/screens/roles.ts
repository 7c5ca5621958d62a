import type { Page } from 'playwright-core'
import { peopleIn } from '../support/people.ts'
import { press } from '../support/portal.ts'
import type { Scene, Screens } from '../support/scene.ts'

const asLead = async (scene: Scene) => (await peopleIn(scene)).lead

/** Gives moderators two things, and takes one. */
async function change(page: Page, scene: Scene): Promise<void> {
  const { roles } = await peopleIn(scene)
  const isWide = (page.viewportSize()?.width ?? 0) > 768
  if (!isWide) await page.getByLabel('Role', { exact: true }).selectOption(roles.moderator)
  const cell = (words: string) =>
    page.getByRole('checkbox', { name: isWide ? `Moderator: ${words}` : words, exact: true }).first()
  for (const words of ['Mute players and lift mutes', 'Record kicks', 'Warn players'])
    await cell(words).click()
  await page.getByText('3 changes in 1 role').waitFor()
}

/** Roles by rank, and what each may do. */
export const screens: Screens = {
  prepare: async (scene) => void (await peopleIn(scene)),
  looks: [
    {
      name: 'roles',
      at: '/w/$/roles',
      heading: 'Roles',
      as: asLead,
      reach: (page) => page.getByText('Senior moderator', { exact: true }).waitFor(),
    },
    {
      name: 'roles-new',
      at: '/w/$/roles',
      heading: 'Roles',
      async reach(page) {
        await press(page, 'New role')
        await page.getByLabel('Name', { exact: true }).fill('Junior moderator')
        await press(page, 'Teal')
      },
    },
    {
      name: 'roles-delete',
      at: '/w/$/roles',
      heading: 'Roles',
      async reach(page) {
        await press(page, 'Change Moderator')
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByText('Delete the role “Moderator”?').waitFor()
      },
    },
    {
      name: 'roles-permissions',
      at: '/w/$/roles?view=permissions',
      heading: 'Roles',
      as: asLead,
      reach: change,
    },
    {
      name: 'roles-permissions-read',
      at: '/w/$/roles?view=permissions',
      heading: 'Roles',
      as: async ({ place, owner, workspaceId }) => {
        await place
          .member({ workspaceId, session: owner.session }, 'reader', ['roles.view'])
          .catch(() => 'is there already')
        return place.session('reader')
      },
      reach: (page) => page.getByText('but not change it').waitFor(),
    },
    {
      name: 'roles-review',
      at: '/w/$/roles?view=permissions',
      heading: 'Roles',
      as: asLead,
      async reach(page, scene) {
        await change(page, scene)
        await press(page, 'Review and save')
        await page.getByRole('dialog').getByText('Takes away').waitFor()
      },
    },
    {
      name: 'roles-not-for-you',
      at: '/w/$/roles',
      heading: 'Roles',
      as: async (scene) => (await peopleIn(scene)).newcomer,
      reach: (page) => page.getByText('This is not for you to see').waitFor(),
    },
  ],
}
