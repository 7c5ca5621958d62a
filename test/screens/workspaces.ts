import type { Scene, Screens } from '../support/scene.ts'

/** Long, wide, and not all of it from left to right. */
const NAMES = [
  'A community whose name goes on for as long as a name may go on and then a bit',
  'مجتمع اللاعبين',
  'W'.repeat(100),
]

const USERNAME = 'wren'

/** Somebody who belongs to workspaces of every look: with several roles, one and none, active and archived. */
async function settle({ place }: Scene): Promise<void> {
  await place.account(USERNAME)
  const session = await place.session(USERNAME)
  for (const [index, groupName] of NAMES.entries()) {
    const { body } = await place.must('POST', '/api/workspaces', { session, body: { groupName } })
    if (index === 1) {
      await place.must('POST', '/api/workspaces', {
        session,
        body: { id: body.workspace.id, action: 'archive' },
      })
    }
  }
}

/** Choosing a workspace, and making one. */
export const screens: Screens = {
  prepare: settle,
  looks: [
    {
      name: 'workspaces',
      at: '/workspaces',
      heading: 'Your workspaces',
      as: ({ place }) => place.session(USERNAME),
    },
    {
      name: 'workspaces-none',
      at: '/workspaces',
      heading: 'Your workspaces',
      async as({ place }) {
        await place.account('nobody-much').catch(() => 'is there already')
        return place.session('nobody-much')
      },
    },
    { name: 'workspaces-new', at: '/workspaces/new', heading: 'Create a workspace' },
  ],
}
