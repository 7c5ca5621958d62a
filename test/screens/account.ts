import { OWNER } from '../support/place.ts'
import { fillIn, press } from '../support/portal.ts'
import type { Screens } from '../support/scene.ts'

/** The reader's own. */
export const screens: Screens = {
  async prepare({ place }) {
    await place.session(OWNER)
    await place.session(OWNER)
  },
  looks: [
    {
      name: 'account',
      at: '/account',
      heading: 'Your account',
      reach: (page) => page.getByText('This one').waitFor(),
    },
    {
      name: 'account-refused',
      at: '/account',
      heading: 'Your account',
      complaints: /status of 400/,
      async reach(page) {
        await fillIn(page, { 'Present password': 'not the password', 'New password': 'short' })
        await press(page, 'Change the password')
        await page.getByText('New password must be').waitFor()
      },
    },
    {
      name: 'account-end-others',
      at: '/account',
      heading: 'Your account',
      async reach(page) {
        await press(page, 'End all others')
        await page.getByRole('dialog').getByText('End all your other sessions?').waitFor()
      },
    },
  ],
}
