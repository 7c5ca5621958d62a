import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { GROUP } from '../support/server.ts'

const USERNAME = 'yarrow'

/** An invited person, who has reported the workspace. */
async function prepare({ server, owner, workspaceId }: ScreenContext): Promise<void> {
  await server.createAccount(USERNAME)
  const invitation = { workspaceId, username: USERNAME }
  await server.requestOk('POST', '/portal/api/invitations', { session: owner.session, body: invitation })
  const body = { workspaceId, message: `I know nobody there. ${'W'.repeat(100)}` }
  await server.requestOk('POST', '/portal/api/reports', { session: await server.session(USERNAME), body })
}

/** Reports about workspaces, and the invitations that people receive by their username. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'operator-reports',
      path: '/operator/reports',
      heading: 'Reports',
      arrange: (page) => page.getByText('I know nobody there').waitFor(),
    },
    {
      name: 'operator-report-resolve',
      path: '/operator/reports',
      heading: 'Reports',
      async arrange(page) {
        await pressButton(page, `Resolve: ${GROUP}`)
        await page.getByRole('dialog').getByText('Nobody is notified').waitFor()
      },
    },
    {
      name: 'workspaces-invited',
      path: '/workspaces',
      heading: 'Your workspaces',
      as: ({ server }) => server.session(USERNAME),
      arrange: (page) => page.getByRole('button', { name: `Accept: ${GROUP}` }).waitFor(),
    },
    {
      name: 'workspaces-report',
      path: '/workspaces',
      heading: 'Your workspaces',
      as: ({ server }) => server.session(USERNAME),
      async arrange(page) {
        await pressButton(page, `Report ${GROUP}`)
        await fillIn(page, { 'What is wrong': 'They pretend to be our community.' })
      },
    },
    {
      name: 'people-invite-username',
      path: '/w/$/people',
      heading: 'People',
      async arrange(page) {
        await pressButton(page, 'Invite')
        await page.getByRole('radio', { name: 'By username' }).press('Space')
        await page.getByRole('textbox', { name: 'Username' }).waitFor()
      },
    },
  ],
}
