import { pressButton } from '../support/page-actions.ts'
import type { ScreenFile } from '../support/screen-states.ts'
import { getStaff } from '../support/staff-members.ts'

/** Members and pending invitations. */
export const screens: ScreenFile = {
  async prepare(context) {
    const { server, owner, workspaceId } = context
    const { roles } = await getStaff(context)
    const invite = (body: object) =>
      server.requestOk('POST', '/portal/api/invitations', {
        session: owner.session,
        body: { workspaceId, ...body },
      })
    await invite({ roleIds: roles.moderator, note: 'For Sam, who helps on weekends' })
    await invite({ roleIds: `${roles.moderator},${roles.trainer}`, validSeconds: '3600' })
  },
  states: [
    {
      name: 'people',
      path: '/w/$/people',
      heading: 'People',
      arrange: (page) => page.getByText('juniper').waitFor(),
    },
    {
      name: 'people-menu',
      path: '/w/$/people',
      heading: 'People',
      as: async (context) => (await getStaff(context)).lead,
      async arrange(page) {
        await pressButton(page, 'Actions for robin')
        await page.getByText('robin owns this workspace.').waitFor()
      },
    },
    {
      name: 'people-roles',
      path: '/w/$/people',
      heading: 'People',
      as: async (context) => (await getStaff(context)).lead,
      async arrange(page) {
        await pressButton(page, 'Actions for juniper')
        await page.getByRole('menuitem', { name: 'Change roles' }).click()
        await page.getByRole('checkbox', { name: 'Trainer', exact: true }).click()
        await page.getByText('will be able to:').waitFor()
      },
    },
    {
      name: 'people-players',
      path: '/w/$/people',
      heading: 'People',
      as: async (context) => (await getStaff(context)).lead,
      async arrange(page) {
        await pressButton(page, 'Actions for juniper')
        await page.getByRole('menuitem', { name: 'Players' }).click()
        await page.getByRole('textbox', { name: 'Player IDs' }).waitFor()
      },
    },
    {
      name: 'people-remove',
      path: '/w/$/people',
      heading: 'People',
      async arrange(page) {
        await pressButton(page, 'Actions for juniper')
        await page.getByRole('menuitem', { name: 'Remove' }).click()
        await page.getByText('Remove juniper from').waitFor()
      },
    },
    {
      name: 'people-nobody',
      path: '/w/$/people?q=zzz',
      heading: 'People',
      arrange: (page) => page.getByText('No matching members').waitFor(),
    },
    {
      name: 'people-invitations',
      path: '/w/$/people?tab=invitations',
      heading: 'People',
      arrange: (page) => page.getByText('For Sam').waitFor(),
    },
    {
      name: 'people-invite',
      path: '/w/$/people',
      heading: 'People',
      async arrange(page) {
        await pressButton(page, 'Invite')
        await page.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
      },
    },
    {
      name: 'people-invite-link',
      path: '/w/$/people',
      heading: 'People',
      async arrange(page) {
        await pressButton(page, 'Invite')
        await page.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
        await pressButton(page, 'Create link')
        await page.getByLabel('Invitation link', { exact: true }).waitFor()
      },
    },
    {
      name: 'people-not-for-you',
      path: '/w/$/people',
      heading: 'People',
      as: async (context) => (await getStaff(context)).newcomer,
      arrange: (page) => page.getByText('You don’t have access').waitFor(),
    },
  ],
}
