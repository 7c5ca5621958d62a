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
      async as({ server }) {
        await server.createAccount('nobody-much').catch(() => 'is there already')
        return server.session('nobody-much')
      },
    },
    { name: 'workspaces-new', path: '/workspaces/new', heading: 'Create a workspace' },
  ],
}
