import { peopleIn } from '../support/people.ts'
import { press } from '../support/portal.ts'
import type { Screens } from '../support/scene.ts'

/** Members, and the invitations that wait. */
export const screens: Screens = {
  async prepare(scene) {
    const { place, owner, workspaceId } = scene
    const { roles } = await peopleIn(scene)
    const invite = (body: object) =>
      place.must('POST', '/portal/api/invitations', {
        session: owner.session,
        body: { workspaceId, ...body },
      })
    await invite({ roleIds: roles.moderator, note: 'For Sam, who helps on weekends' })
    await invite({ roleIds: `${roles.moderator},${roles.trainer}`, validSeconds: '3600' })
  },
  looks: [
    {
      name: 'people',
      at: '/w/$/people',
      heading: 'People',
      reach: (page) => page.getByText('juniper').waitFor(),
    },
    {
      name: 'people-menu',
      at: '/w/$/people',
      heading: 'People',
      as: async (scene) => (await peopleIn(scene)).lead,
      async reach(page) {
        await press(page, 'What to do with robin')
        await page.getByText('robin owns this workspace.').waitFor()
      },
    },
    {
      name: 'people-roles',
      at: '/w/$/people',
      heading: 'People',
      as: async (scene) => (await peopleIn(scene)).lead,
      async reach(page) {
        await press(page, 'What to do with juniper')
        await page.getByRole('menuitem', { name: 'Change roles' }).click()
        await page.getByRole('checkbox', { name: 'Trainer', exact: true }).click()
        await page.getByText('will be able to:').waitFor()
      },
    },
    {
      name: 'people-remove',
      at: '/w/$/people',
      heading: 'People',
      async reach(page) {
        await press(page, 'What to do with juniper')
        await page.getByRole('menuitem', { name: 'Remove' }).click()
        await page.getByText('Remove juniper from').waitFor()
      },
    },
    {
      name: 'people-nobody',
      at: '/w/$/people?q=zzz',
      heading: 'People',
      reach: (page) => page.getByText('Nobody here is like that').waitFor(),
    },
    {
      name: 'people-invitations',
      at: '/w/$/people?tab=invitations',
      heading: 'People',
      reach: (page) => page.getByText('For Sam').waitFor(),
    },
    {
      name: 'people-invite',
      at: '/w/$/people',
      heading: 'People',
      async reach(page) {
        await press(page, 'Invite')
        await page.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
      },
    },
    {
      name: 'people-invite-link',
      at: '/w/$/people',
      heading: 'People',
      async reach(page) {
        await press(page, 'Invite')
        await page.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
        await press(page, 'Make the link')
        await page.getByLabel('Invitation link', { exact: true }).waitFor()
      },
    },
    {
      name: 'people-not-for-you',
      at: '/w/$/people',
      heading: 'People',
      as: async (scene) => (await peopleIn(scene)).newcomer,
      reach: (page) => page.getByText('This is not for you to see').waitFor(),
    },
  ],
}
