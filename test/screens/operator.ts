import { fillIn, press } from '../support/portal.ts'
import type { Scene, Screens } from '../support/scene.ts'

const DISABLED = 'retired-moderator'

async function settle({ place, owner: { session } }: Scene): Promise<void> {
  const id = await place.account(DISABLED)
  await place.must('PATCH', '/admin/api/accounts', { session, body: { id, disabled: 'true' } })
}

const menuOf = (username: string) => ({ name: `Actions for ${username}` })

/** What those who run the instance see. */
export const screens: Screens = {
  prepare: settle,
  looks: [
    {
      name: 'operator-instance',
      at: '/operator/instance',
      heading: 'Health',
      reach: (page) => page.getByText('Running for').waitFor(),
    },
    {
      name: 'operator-accounts',
      at: '/operator/accounts',
      heading: 'Accounts',
      reach: (page) => page.getByRole('button', menuOf(DISABLED)).waitFor(),
    },
    {
      name: 'operator-account-menu',
      at: `/operator/accounts?q=${DISABLED}`,
      heading: 'Accounts',
      async reach(page) {
        await page.getByRole('button', menuOf(DISABLED)).click()
        await page.getByRole('menuitem', { name: 'Enable…' }).waitFor()
      },
    },
    {
      name: 'operator-new-account',
      at: '/operator/accounts',
      heading: 'Accounts',
      complaints: /status of 4/,
      async reach(page) {
        await press(page, 'Make an account')
        await fillIn(page, { Username: 'two  spaces' })
        await press(page, 'Suggest one')
        await press(page, 'Make the account')
        await page.getByText('Username must not').waitFor()
      },
    },
    {
      name: 'operator-password',
      at: `/operator/accounts?q=${DISABLED}`,
      heading: 'Accounts',
      async reach(page) {
        await page.getByRole('button', menuOf(DISABLED)).click()
        await page.getByRole('menuitem', { name: 'Reset the password…' }).click()
        await page.getByRole('dialog').getByLabel('New password', { exact: true }).waitFor()
      },
    },
    {
      name: 'operator-workspaces',
      at: '/operator/workspaces',
      heading: 'Workspaces',
      reach: (page) =>
        page
          .getByRole('button', { name: /^Set the quota of/ })
          .first()
          .waitFor(),
    },
    {
      name: 'operator-quota',
      at: '/operator/workspaces',
      heading: 'Workspaces',
      async reach(page) {
        await press(page, 'Set the quota of Night Shift')
        await fillIn(page, { 'Calls a month': '1' })
        await page.getByText('used up already').waitFor()
      },
    },
  ],
}
