import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { OWNER } from '../support/server.ts'

const DISABLED = 'retired-moderator'

async function prepare({ server, owner: { session } }: ScreenContext): Promise<void> {
  const id = await server.createAccount(DISABLED)
  await server.requestOk('PATCH', '/admin/api/accounts', { session, body: { id, disabled: 'true' } })
}

const accountMenu = (username: string) => ({ name: `Actions for ${username}` })

/** The screens of operators. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'operator-instance',
      path: '/operator/instance',
      heading: 'Health',
      arrange: (page) => page.getByText('Uptime').waitFor(),
    },
    {
      name: 'operator-audit',
      path: '/operator/audit',
      heading: 'Instance log',
      async arrange(page) {
        await page.getByRole('button', { name: /^Details: .* disabled the account/ }).click()
        await page.getByText(/^Request /).waitFor()
      },
    },
    {
      name: 'operator-accounts',
      path: '/operator/accounts',
      heading: 'Accounts',
      arrange: (page) => page.getByRole('button', accountMenu(DISABLED)).waitFor(),
    },
    {
      name: 'operator-account-menu',
      path: `/operator/accounts?q=${DISABLED}`,
      heading: 'Accounts',
      async arrange(page) {
        await page.getByRole('button', accountMenu(DISABLED)).click()
        await page.getByRole('menuitem', { name: 'Enable…' }).waitFor()
      },
    },
    {
      name: 'operator-new-account',
      path: '/operator/accounts',
      heading: 'Accounts',
      allowedErrors: /status of 4/,
      async arrange(page) {
        await pressButton(page, 'New account')
        await fillIn(page, { Username: 'two  spaces' })
        await pressButton(page, 'Create account')
        await page.getByText('Username must not').waitFor()
      },
    },
    {
      name: 'operator-password-link',
      path: `/operator/accounts?q=${OWNER}`,
      heading: 'Accounts',
      async arrange(page) {
        await page.getByRole('button', accountMenu(OWNER)).click()
        await page.getByRole('menuitem', { name: 'Create password link…' }).click()
        await pressButton(page, 'Create link')
        await page.getByRole('dialog').getByLabel('Link', { exact: true }).waitFor()
      },
    },
    {
      name: 'operator-workspaces',
      path: '/operator/workspaces',
      heading: 'Workspaces',
      arrange: (page) =>
        page
          .getByRole('button', { name: /^Set the quotas of/ })
          .first()
          .waitFor(),
    },
    {
      name: 'operator-quota',
      path: '/operator/workspaces',
      heading: 'Workspaces',
      async arrange(page) {
        await pressButton(page, 'Set the quotas of Night Shift')
        await fillIn(page, { 'Requests per month': '1', Storage: '1 KB' })
        await page.getByText('storage quota is already used up').waitFor()
      },
    },
  ],
}
