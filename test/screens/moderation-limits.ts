import type { Page } from 'playwright-core'
import { getLimitedModerator } from '../support/desk-staff.ts'
import { deskPath, prepareDesk } from '../support/desk-workspace.ts'
import { pressButton } from '../support/page-actions.ts'
import type { ScreenFile } from '../support/screen-states.ts'

const common = { heading: 'Case', as: getLimitedModerator } as const

/** Opens a dialog of the case, and chooses what exceeds a limit. */
async function exceedLimit(page: Page, button: string, option: string, warning: string): Promise<void> {
  await pressButton(page, button)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: option, exact: true }).check()
  await dialog.getByText(warning).scrollIntoViewIfNeeded()
}

/** Changes of cases that the limits of a role or the step of a ladder concern. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    {
      name: 'case-end-limits',
      path: deskPath('/moderation/cases/$shortBan'),
      ...common,
      arrange: (page) =>
        exceedLimit(
          page,
          'Change expiry',
          '7 days longer',
          'The longest ban that your roles allow is 3 days.',
        ),
    },
    {
      name: 'case-end-ladder',
      path: deskPath('/moderation/cases/$ladderMute'),
      ...common,
      arrange: (page) =>
        exceedLimit(page, 'Change expiry', '1 day longer', 'This is more than the ladder decided'),
    },
    {
      name: 'case-edit-limits',
      path: deskPath('/moderation/cases/$shortBan'),
      ...common,
      arrange: (page) =>
        exceedLimit(page, 'Edit', 'High', 'The highest severity that your roles allow is medium.'),
    },
  ],
}
