import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenFile } from '../support/screen-states.ts'
import { OWNER } from '../support/server.ts'

/** The user's own account. */
export const screens: ScreenFile = {
  async prepare({ server }) {
    await server.session(OWNER)
    await server.session(OWNER)
  },
  states: [
    {
      name: 'account',
      path: '/account',
      heading: 'Your account',
      arrange: (page) => page.getByText('This device', { exact: true }).waitFor(),
    },
    {
      name: 'account-refused',
      path: '/account',
      heading: 'Your account',
      allowedErrors: /status of 400/,
      async arrange(page) {
        await fillIn(page, { 'Current password': 'not the password', 'New password': 'short' })
        await pressButton(page, 'Change password')
        await page.getByText('New password must be').waitFor()
      },
    },
    {
      name: 'account-end-others',
      path: '/account',
      heading: 'Your account',
      async arrange(page) {
        await pressButton(page, 'End all others')
        await page.getByRole('dialog').getByText('End all your other sessions?').waitFor()
      },
    },
  ],
}
