import { deskPath, getDeskLead, prepareDesk } from '../support/desk-workspace.ts'
import type { ScreenFile } from '../support/screen-states.ts'

const heading = 'Inbox'

/** What waits for the user, by kind. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    {
      name: 'inbox',
      path: deskPath('/inbox'),
      heading,
      arrange: (page) => page.getByRole('link', { name: /^Case 1, QuietOwl/ }).waitFor(),
    },
    {
      name: 'inbox-mentions',
      path: deskPath('/inbox?source=mentions'),
      heading,
      arrange: (page) => page.getByText('is this the same wall').waitFor(),
    },
    {
      name: 'inbox-approvals',
      path: deskPath('/inbox?source=approvals'),
      heading,
      arrange: (page) => page.getByText('Sold four accounts in an hour').waitFor(),
    },
    {
      name: 'inbox-appeals',
      path: deskPath('/inbox?source=appeals'),
      heading,
      arrange: (page) => page.getByText('They said that I cheated.').first().waitFor(),
    },
    {
      name: 'inbox-empty',
      path: deskPath('/inbox'),
      heading,
      as: getDeskLead,
      arrange: (page) => page.getByText(/^Nothing under/).waitFor(),
    },
  ],
}
