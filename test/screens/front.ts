import { PASSWORD } from '../support/instance.ts'
import { OWNER } from '../support/place.ts'
import { fillIn, press, signIn } from '../support/portal.ts'
import type { Screens } from '../support/scene.ts'

const REFUSED = /status of 40[01]/

/** What is shown before anyone is signed in. */
export const screens: Screens = {
  looks: [
    { name: 'first-run', at: '/', heading: 'Set up Reeve', isEmpty: true },
    {
      name: 'first-run-refused',
      at: '/',
      heading: 'Set up Reeve',
      isEmpty: true,
      complaints: REFUSED,
      async reach(page) {
        await fillIn(page, { Password: 'short' })
        await press(page, 'Set up')
        await page.getByText('Password must be').waitFor()
      },
    },
    {
      name: 'first-run-wrong-code',
      at: '/',
      heading: 'Set up Reeve',
      isEmpty: true,
      complaints: REFUSED,
      async reach(page) {
        await fillIn(page, {
          Code: '7K3M-Q9TX-2ZBD',
          Username: OWNER,
          Password: PASSWORD,
          'Group name': 'Owls',
        })
        await press(page, 'Set up')
        await page.getByText('This is not the code').waitFor()
      },
    },
    { name: 'sign-in', at: '/', as: 'nobody', heading: 'Sign in' },
    {
      name: 'sign-in-refused',
      at: '/',
      as: 'nobody',
      heading: 'Sign in',
      complaints: REFUSED,
      async reach(page) {
        await signIn(page, 'somebody', 'not the password')
        await page.getByText('is wrong').waitFor()
      },
    },
  ],
}
