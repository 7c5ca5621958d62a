import type { Page } from 'playwright-core'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

/** Long, wide and right-to-left names. */
const NAMES = [
  'A community whose name goes on for as long as a name may go on and then a bit',
  'مجتمع اللاعبين',
  'W'.repeat(100),
]

const USERNAME = 'wren'

/** A member of workspaces in every state: with several roles, one and none; active and archived. */
async function prepare({ server }: ScreenContext): Promise<void> {
  await server.createAccount(USERNAME)
  const session = await server.session(USERNAME)
  for (const [index, groupName] of NAMES.entries()) {
    const { body } = await server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
    if (index === 1) {
      await server.requestOk('POST', '/api/workspaces', {
        session,
        body: { id: body.workspace.id, action: 'archive' },
      })
    }
  }
}

/** The session of an account without workspaces. */
async function createNobody({ server }: ScreenContext): Promise<string> {
  await server.createAccount('nobody-much').catch(() => 'is there already')
  return server.session('nobody-much')
}

/** Opens the screen again with another answer to whether the user can create a workspace, which depends on the server's settings. */
async function showCannotCreate(page: Page, creation: object, text: string): Promise<void> {
  await page.route('**/portal/api/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...creation } })
  })
  await page.reload()
  await page.getByText(text).waitFor()
}

const operatorsOnly = { workspaceCreation: 'operators' }
const limitReached = { workspaceLimit: '3', ownedWorkspaces: '3' }

/** Choosing and creating a workspace. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'workspaces',
      path: '/workspaces',
      heading: 'Your workspaces',
      as: ({ server }) => server.session(USERNAME),
    },
    {
      name: 'workspaces-none',
      path: '/workspaces',
      heading: 'Your workspaces',
      as: createNobody,
    },
    { name: 'workspaces-new', path: '/workspaces/new', heading: 'Create a workspace' },
    {
      name: 'workspaces-new-operators-only',
      path: '/workspaces/new',
      heading: 'Create a workspace',
      as: ({ server }) => server.session(USERNAME),
      arrange: (page) => showCannotCreate(page, operatorsOnly, 'Only operators create workspaces here'),
    },
    {
      name: 'workspaces-new-limit-reached',
      path: '/workspaces/new',
      heading: 'Create a workspace',
      as: ({ server }) => server.session(USERNAME),
      arrange: (page) => showCannotCreate(page, limitReached, 'The limit is 3 workspaces per account'),
    },
    {
      name: 'workspaces-none-operators-only',
      path: '/workspaces',
      heading: 'Your workspaces',
      as: createNobody,
      arrange: (page) => showCannotCreate(page, operatorsOnly, 'an operator of this instance to create one'),
    },
  ],
}
