import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const OWNER_NAME = 'aspen'
const NEW_OWNER = 'birch'
const workspaceIds = new Map<string, string>()
const path = (groupName: string) => () => `/w/${workspaceIds.get(groupName)}/configuration/workspace`

/** An active workspace with archives, and an archived one. */
async function prepare({ server }: ScreenContext): Promise<void> {
  await server.createAccount(OWNER_NAME)
  const session = await server.session(OWNER_NAME)
  for (const groupName of ['Harbour Watch', 'Winter Break']) {
    const { body } = await server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
    const { id } = body.workspace
    workspaceIds.set(groupName, id)
    const act = (action: string) =>
      server.requestOk('POST', '/api/workspaces', { session, body: { id, action } })
    const note = (userId: string) =>
      server.requestOk('POST', '/api/moderation', {
        session,
        body: { workspaceId: id, action: 'note', userId, reason: 'Asked for help' },
      })
    if (groupName === 'Harbour Watch')
      await server.createMember({ workspaceId: id, session }, NEW_OWNER, ['moderation.view'])
    for (const userId of ['1', '2', '3']) await note(userId)
    await act('archive')
    await act('restore')
    for (const userId of ['4', '5']) await note(userId)
    await act('archive')
    if (groupName === 'Harbour Watch') await act('restore')
  }
}

const as = ({ server }: ScreenContext) => server.session(OWNER_NAME)
const heading = 'Workspace'

/** The workspace settings. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'workspace',
      path: path('Harbour Watch'),
      heading,
      as,
      arrange: (page) =>
        page
          .getByRole('button', { name: /^Download/ })
          .first()
          .waitFor(),
    },
    {
      name: 'workspace-archived',
      path: path('Winter Break'),
      heading,
      as,
      arrange: (page) =>
        page
          .getByRole('button', { name: /^Roll back/ })
          .first()
          .waitFor(),
    },
    {
      name: 'workspace-archive',
      path: path('Harbour Watch'),
      heading,
      as,
      async arrange(page) {
        await pressButton(page, 'Archive…')
        await page.getByRole('dialog').getByText('earlier case versions').waitFor()
      },
    },
    {
      name: 'workspace-roll-back',
      path: path('Winter Break'),
      heading,
      as,
      async arrange(page) {
        await page
          .getByRole('button', { name: /^Roll back/ })
          .last()
          .click()
        await page
          .getByRole('dialog')
          .getByText('The workspace stays read-only until the roll-back is complete')
          .waitFor()
      },
    },
    {
      name: 'workspace-copy',
      path: path('Harbour Watch'),
      heading,
      as,
      async arrange(page) {
        await page
          .getByRole('button', { name: /^New workspace/ })
          .first()
          .click()
        await page.getByRole('dialog').getByLabel('Group name').waitFor()
      },
    },
    {
      name: 'workspace-transfer',
      path: path('Harbour Watch'),
      heading,
      as,
      allowedErrors: /status of 400/,
      async arrange(page) {
        await pressButton(page, 'Transfer ownership…')
        await page.getByRole('combobox', { name: 'New owner' }).click()
        await page.getByRole('option', { name: NEW_OWNER }).click()
        await fillIn(page, { 'Your password': 'not the password' })
        await pressButton(page, 'Transfer ownership')
        await page.getByText('is not your current password').waitFor()
      },
    },
    {
      name: 'workspace-not-for-you',
      path: path('Harbour Watch'),
      heading,
      as: ({ server }) => server.session(NEW_OWNER),
    },
  ],
}
