import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

/** Long and wide names, some of them right-to-left. */
const NAMES = [
  'A community whose name goes on for as long as a name may go on and then a bit',
  'مجتمع اللاعبين',
  'W'.repeat(100),
]

const USERNAME = 'wren'

/** A member of many workspaces: with several roles, one or none, active and archived. */
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

/** The workspace list and the form for a new one. */
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
