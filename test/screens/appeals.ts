import { openBan } from '../support/appeal-page.ts'
import { getLimitedModerator } from '../support/desk-staff.ts'
import { APPEAL_FILE, appealCodes, deskPath, prepareDesk } from '../support/desk-workspace.ts'
import type { ScreenFile, ScreenState } from '../support/screen-states.ts'

const list = { path: deskPath('/appeals'), heading: 'Appeals' } as const

/** A state of the public page, which needs no account. */
const publicState = (name: string, arrange: NonNullable<ScreenState['arrange']>): ScreenState => ({
  name,
  path: '/appeal',
  heading: 'Appeal a ban',
  as: 'anonymous',
  allowedErrors: /status of 4\d\d/,
  arrange,
})

/** Appeals for staff and for players. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    { name: 'appeals', ...list, arrange: (page) => page.getByText('Under review').last().waitFor() },
    {
      name: 'appeals-none',
      path: deskPath('/appeals?state=withdrawn'),
      heading: 'Appeals',
      arrange: (page) => page.getByText('No appeals match').waitFor(),
    },
    {
      name: 'appeal',
      path: deskPath('/appeals/$appeal'),
      heading: 'Appeal of QuietOwl',
      async arrange(page) {
        await page.getByLabel('Deny: keep the ban').check()
        await page.getByText('The ban stays').waitFor()
      },
    },
    {
      name: 'appeal-file',
      path: deskPath('/appeals/$appeal'),
      heading: 'Appeal of QuietOwl',
      arrange: (page) =>
        page.getByRole('button', { name: `Download ${APPEAL_FILE}` }).scrollIntoViewIfNeeded(),
    },
    {
      name: 'appeal-file-closed',
      path: deskPath('/appeals/$appeal'),
      heading: 'Appeal of QuietOwl',
      as: getLimitedModerator,
      arrange: (page) => page.getByText('permission to open evidence files').scrollIntoViewIfNeeded(),
    },
    {
      name: 'appeal-own-ban',
      path: deskPath('/appeals/$ownAppeal'),
      heading: `Appeal of ${'W'.repeat(50)}`,
      arrange: (page) => page.getByText('You imposed this ban').waitFor(),
    },
    {
      name: 'appeal-decided',
      path: deskPath('/appeals/$deniedAppeal'),
      heading: 'Appeal of StormRiderr',
      arrange: (page) => page.getByText('Other appeals of this ban').waitFor(),
    },
    {
      name: 'appeal-settings',
      path: deskPath('/configuration/appeals'),
      heading: 'Appeal form',
      arrange: (page) => page.getByLabel('Questions').waitFor(),
    },
    publicState('public-appeal-unknown', async (page) => {
      await page.getByLabel('Appeal code').fill('00000 00000')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('alert').waitFor()
    }),
    publicState('public-appeal-form', async (page) => {
      await openBan(page, appealCodes.newBan ?? '')
      await page.getByText('Be honest and polite').waitFor()
    }),
    publicState('public-appeal', async (page) => {
      await openBan(page, appealCodes.ban ?? '')
      await page.getByText('Which computer was it?').waitFor()
    }),
    publicState('public-appeal-file-form', async (page) => {
      await openBan(page, appealCodes.ownBan ?? '')
      const buffer = Buffer.from('It was my brother')
      const file = { name: APPEAL_FILE, mimeType: 'text/plain', buffer }
      await page.getByLabel('Add a file').setInputFiles(file)
    }),
    publicState('public-appeal-file', async (page) => {
      await openBan(page, appealCodes.ban ?? '')
      await page.getByText(APPEAL_FILE).scrollIntoViewIfNeeded()
    }),
    publicState('public-appeal-denied', async (page) => {
      await openBan(page, appealCodes.deniedBan ?? '')
      await page.getByText('They disagree.').waitFor()
    }),
  ],
}
