import { claimReport, deskPath, prepareDesk } from '../support/desk-workspace.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenFile } from '../support/screen-states.ts'

const player = { path: deskPath('/moderation/players/1566'), heading: 'QuietOwl 1566' } as const
const report = { path: deskPath('/moderation/cases/$report'), heading: 'Case 1: note' } as const

/** What staff know about a player together, and who works on what. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    {
      name: 'player-known',
      ...player,
      arrange: (page) => page.getByText('never online together').waitFor(),
    },
    {
      name: 'player-link',
      ...player,
      async arrange(page) {
        await pressButton(page, 'Link a player')
        await fillIn(page, { 'Player ID': '733', Reason: 'Same clan' })
      },
    },
    {
      name: 'case-claimed',
      ...report,
      async arrange(page, context) {
        await claimReport(context)
        await page.getByText('works on this case until').waitFor()
      },
    },
    {
      name: 'case-assign',
      ...report,
      async arrange(page) {
        await pressButton(page, 'Reassign')
        await page.getByRole('dialog').getByRole('button', { name: 'mallow' }).waitFor()
      },
    },
  ],
}
