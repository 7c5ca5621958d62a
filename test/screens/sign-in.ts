import { PASSWORD } from '../support/instance.ts'
import { fillIn, pressButton, signIn } from '../support/page-actions.ts'
import type { ScreenFile } from '../support/screen-states.ts'
import { OWNER } from '../support/server.ts'

const REJECTED_STATUS = /status of 40[01]/

/** Screens without a session. */
export const screens: ScreenFile = {
  states: [
    { name: 'first-run', path: '/', heading: 'Set up Reeve', isEmpty: true },
    {
      name: 'first-run-refused',
      path: '/',
      heading: 'Set up Reeve',
      isEmpty: true,
      allowedErrors: REJECTED_STATUS,
      async arrange(page) {
        await fillIn(page, { Password: 'short' })
        await pressButton(page, 'Set up')
        await page.getByText('Password must be').waitFor()
      },
    },
    {
      name: 'first-run-wrong-code',
      path: '/',
      heading: 'Set up Reeve',
      isEmpty: true,
      allowedErrors: REJECTED_STATUS,
      async arrange(page) {
        await fillIn(page, {
          Code: '7K3M-Q9TX-2ZBD',
          Username: OWNER,
          Password: PASSWORD,
          'Group name': 'Owls',
        })
        await pressButton(page, 'Set up')
        await page.getByText('The setup code is incorrect').waitFor()
      },
    },
    { name: 'sign-in', path: '/', as: 'anonymous', heading: 'Sign in' },
    {
      name: 'sign-in-refused',
      path: '/',
      as: 'anonymous',
      heading: 'Sign in',
      allowedErrors: REJECTED_STATUS,
      async arrange(page) {
        await signIn(page, 'somebody', 'not the password')
        await page.getByText('is incorrect').waitFor()
      },
    },
  ],
}
