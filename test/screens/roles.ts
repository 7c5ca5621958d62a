import type { Page } from 'playwright-core'
import { deskPath, prepareDesk } from '../support/desk-workspace.ts'
import { chooseMenuItem, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { getStaff } from '../support/staff-members.ts'

const getLeadSession = async (context: ScreenContext) => (await getStaff(context)).lead

/** Adds two permissions to the moderator role and removes one. */
async function changePermissions(page: Page, context: ScreenContext): Promise<void> {
  const { roles } = await getStaff(context)
  const isWide = (page.viewportSize()?.width ?? 0) > 768
  if (!isWide) await page.getByLabel('Role', { exact: true }).selectOption(roles.moderator)
  const permissionCheckbox = (label: string) =>
    page.getByRole('checkbox', { name: isWide ? `Moderator: ${label}` : label, exact: true }).first()
  for (const label of ['Mute players and lift mutes', 'Record kicks', 'Warn players'])
    await permissionCheckbox(label).click()
  await page.getByText('3 unsaved changes in 1 role').waitFor()
}

/** Roles by rank and their permissions. */
export const screens: ScreenFile = {
  async prepare(context) {
    await getStaff(context)
    await prepareDesk(context)
  },
  states: [
    {
      name: 'roles',
      path: '/w/$/roles',
      heading: 'Roles',
      as: getLeadSession,
      arrange: (page) => page.getByText('Senior moderator', { exact: true }).waitFor(),
    },
    {
      name: 'roles-ranks',
      path: '/w/$/roles',
      heading: 'Roles',
      as: getLeadSession,
      async arrange(page) {
        await page.getByRole('button', { name: 'Move Trainer' }).press('Home')
        await page.getByRole('region', { name: 'Unsaved ranks' }).waitFor()
      },
    },
    {
      name: 'roles-new',
      path: '/w/$/roles',
      heading: 'Roles',
      async arrange(page) {
        await pressButton(page, 'New role')
        await page.getByLabel('Name', { exact: true }).fill('Junior moderator')
        await pressButton(page, 'Teal')
      },
    },
    {
      name: 'roles-new-preset',
      path: '/w/$/roles?open=senior-moderator',
      heading: 'Roles',
      as: getLeadSession,
      arrange: (page) => page.getByText('Left out, because').scrollIntoViewIfNeeded(),
    },
    {
      name: 'roles-delete',
      path: '/w/$/roles',
      heading: 'Roles',
      async arrange(page) {
        await pressButton(page, 'Actions for Moderator')
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByText('Delete the role “Moderator”?').waitFor()
      },
    },
    {
      name: 'roles-delete-keys',
      path: deskPath('/roles'),
      heading: 'Roles',
      async arrange(page) {
        await chooseMenuItem(page, 'Actions for Role of teasel', 'Delete')
        await page.getByRole('dialog').getByText('2 API keys to revoke').waitFor()
      },
    },
    {
      name: 'roles-limits',
      path: '/w/$/roles',
      heading: 'Roles',
      async arrange(page) {
        await pressButton(page, 'Actions for Moderator')
        await page.getByRole('menuitem', { name: 'Limits' }).click()
        await page.getByRole('checkbox', { name: /^Permanent bans need/ }).waitFor()
      },
    },
    {
      name: 'roles-permissions',
      path: '/w/$/roles?view=permissions',
      heading: 'Roles',
      as: getLeadSession,
      arrange: changePermissions,
    },
    {
      name: 'roles-permissions-read',
      path: '/w/$/roles?view=permissions',
      heading: 'Roles',
      as: async ({ server, owner, workspaceId }) => {
        await server
          .createMember({ workspaceId, session: owner.session }, 'reader', ['roles.view'])
          .catch(() => 'is there already')
        return server.session('reader')
      },
      arrange: (page) => page.getByText('but not change them').waitFor(),
    },
    {
      name: 'roles-review',
      path: '/w/$/roles?view=permissions',
      heading: 'Roles',
      as: getLeadSession,
      async arrange(page, context) {
        await changePermissions(page, context)
        await pressButton(page, 'Review and save')
        await page.getByRole('dialog').getByText('Revokes').waitFor()
      },
    },
    {
      name: 'roles-not-for-you',
      path: '/w/$/roles',
      heading: 'Roles',
      as: async (context) => (await getStaff(context)).newcomer,
      arrange: (page) => page.getByText('You don’t have access').waitFor(),
    },
  ],
}
