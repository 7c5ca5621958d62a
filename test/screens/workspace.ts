import { fillIn, press } from '../support/portal.ts'
import type { Scene, Screens } from '../support/scene.ts'

const OWNER_NAME = 'aspen'
const HEIR = 'birch'
const made = new Map<string, string>()
const at = (groupName: string) => () => `/w/${made.get(groupName)}/configuration/workspace`

/** A workspace in use with archives, and one that is archived. */
async function settle({ place }: Scene): Promise<void> {
  await place.account(OWNER_NAME)
  const session = await place.session(OWNER_NAME)
  for (const groupName of ['Harbour Watch', 'Winter Break']) {
    const { body } = await place.must('POST', '/api/workspaces', { session, body: { groupName } })
    const { id } = body.workspace
    made.set(groupName, id)
    const act = (action: string) => place.must('POST', '/api/workspaces', { session, body: { id, action } })
    const note = (userId: string) =>
      place.must('POST', '/api/moderation', {
        session,
        body: { workspaceId: id, action: 'note', userId, reason: 'Asked for help' },
      })
    if (groupName === 'Harbour Watch')
      await place.member({ workspaceId: id, session }, HEIR, ['moderation.view'])
    for (const userId of ['1', '2', '3']) await note(userId)
    await act('archive')
    await act('restore')
    for (const userId of ['4', '5']) await note(userId)
    await act('archive')
    if (groupName === 'Harbour Watch') await act('restore')
  }
}

const as = ({ place }: Scene) => place.session(OWNER_NAME)
const heading = 'Workspace'

/** The workspace itself. */
export const screens: Screens = {
  prepare: settle,
  looks: [
    {
      name: 'workspace',
      at: at('Harbour Watch'),
      heading,
      as,
      reach: (page) =>
        page
          .getByRole('button', { name: /^Download/ })
          .first()
          .waitFor(),
    },
    {
      name: 'workspace-archived',
      at: at('Winter Break'),
      heading,
      as,
      reach: (page) =>
        page
          .getByRole('button', { name: /^Roll back/ })
          .first()
          .waitFor(),
    },
    {
      name: 'workspace-archive',
      at: at('Harbour Watch'),
      heading,
      as,
      async reach(page) {
        await press(page, 'Archive…')
        await page.getByRole('dialog').getByText('earlier versions').waitFor()
      },
    },
    {
      name: 'workspace-roll-back',
      at: at('Winter Break'),
      heading,
      as,
      async reach(page) {
        await page
          .getByRole('button', { name: /^Roll back/ })
          .last()
          .click()
        await page.getByRole('dialog').getByText('It is back in use at once.').waitFor()
      },
    },
    {
      name: 'workspace-copy',
      at: at('Harbour Watch'),
      heading,
      as,
      async reach(page) {
        await page
          .getByRole('button', { name: /^New workspace/ })
          .first()
          .click()
        await page.getByRole('dialog').getByLabel('Group name').waitFor()
      },
    },
    {
      name: 'workspace-transfer',
      at: at('Harbour Watch'),
      heading,
      as,
      complaints: /status of 400/,
      async reach(page) {
        await press(page, 'Transfer the ownership…')
        await page.getByRole('combobox', { name: 'New owner' }).click()
        await page.getByRole('option', { name: HEIR }).click()
        await fillIn(page, { 'Your password': 'not the password' })
        await press(page, 'Transfer the ownership')
        await page.getByText('is not your present password').waitFor()
      },
    },
    {
      name: 'workspace-not-for-you',
      at: at('Harbour Watch'),
      heading,
      as: ({ place }) => place.session(HEIR),
    },
  ],
}
