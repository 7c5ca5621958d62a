import { deskPath, prepareDesk } from '../support/desk-workspace.ts'
import { joinBytes } from '../support/evidence-samples.ts'
import { pressButton } from '../support/page-actions.ts'
import type { ScreenFile } from '../support/screen-states.ts'

const UPLOADS = '**/portal/api/moderation/evidence-files?*'

const screen = { path: deskPath('/moderation/cases/$ban'), heading: 'Case 3: ban' } as const

const program = {
  name: 'cheat-engine.exe',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(joinBytes('MZ', new Uint8Array(100))),
}

/** The files of a case. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    {
      name: 'case-evidence',
      ...screen,
      async arrange(page) {
        await pressButton(page, 'Show wall-of-the-vault.png')
        await page.getByRole('img', { name: 'wall-of-the-vault.png' }).scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'case-evidence-uploading',
      ...screen,
      async arrange(page) {
        // A response that never comes.
        await page.route(UPLOADS, () => {})
        await page.locator('input[type=file]').setInputFiles(program)
        await page.getByRole('list', { name: 'Uploads' }).scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'case-evidence-refused',
      ...screen,
      allowedErrors: /status of 400/,
      async arrange(page) {
        await page.locator('input[type=file]').setInputFiles(program)
        await page.getByText('This file must be').scrollIntoViewIfNeeded()
      },
    },
  ],
}
