import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const USERNAME = 'rowan'
let workspaceId = ''

/** Fills an audit log with changes of every kind. */
async function prepare({ server }: ScreenContext): Promise<void> {
  await server.createAccount(USERNAME)
  const session = await server.session(USERNAME)
  const { body } = await server.requestOk('POST', '/api/workspaces', {
    session,
    body: { groupName: 'Lighthouse' },
  })
  workspaceId = body.workspace.id
  const postInWorkspace = (path: string, fields: object) =>
    server.requestOk('POST', path, { session, body: { workspaceId, ...fields } })
  const key = await postInWorkspace('/portal/api/api-keys', {
    name: 'Game server',
    permissions: 'moderation.view',
  })
  await postInWorkspace('/portal/api/api-keys/revoke', { id: key.body.apiKey.id })
  const { role } = (
    await postInWorkspace('/portal/api/roles', {
      name: 'Moderator',
      rank: '10',
      permissions: 'moderation.view',
    })
  ).body
  await postInWorkspace('/api/_workspace-permissions', {
    roleId: role.id,
    permissions: 'moderation.view,moderation.note,events.view',
  })
  await postInWorkspace('/api/events', { title: 'Cadet training', scheduledFor: '2027-03-01T18:00:00Z' })
  const { record } = (
    await postInWorkspace('/api/moderation', {
      action: 'ban',
      userId: '261',
      userUsername: 'Builderman',
      reason: 'Exploiting',
      durationSeconds: '86400',
    })
  ).body
  await postInWorkspace('/api/moderation', {
    action: 'edit',
    id: record.id,
    reason: 'Exploiting in the harbour, seen by three moderators',
    severity: 'critical',
  })
  await postInWorkspace('/api/moderation', {
    action: 'unban',
    userId: '261',
    reason: 'It was a lag spike after all',
  })
}

const heading = 'Audit log'
const as = ({ server }: ScreenContext) => server.session(USERNAME)

export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'audit',
      path: () => `/w/${workspaceId}/audit`,
      heading,
      as,
      arrange: (page) => page.getByRole('article').first().waitFor(),
    },
    {
      name: 'audit-changes',
      path: () => `/w/${workspaceId}/audit?what=moderation.edit`,
      heading,
      as,
      async arrange(page) {
        await page.getByRole('button', { name: /^Changes/ }).click()
        await page.getByRole('button', { name: /^Show \d+ unchanged fields$/ }).waitFor()
      },
    },
    {
      name: 'audit-made',
      path: () => `/w/${workspaceId}/audit?what=roles.update`,
      heading,
      as,
      async arrange(page) {
        await page.getByRole('button', { name: /^Changes/ }).click()
        await page.getByText('View published events').waitFor()
      },
    },
    {
      name: 'audit-choice',
      path: () => `/w/${workspaceId}/audit?find=1,nobody`,
      heading,
      as,
      arrange: (page) => page.getByText(/^No case, player or person matches/).waitFor(),
    },
    {
      name: 'audit-nothing',
      path: () => `/w/${workspaceId}/audit?what=roles.delete`,
      heading,
      as,
      arrange: (page) => page.getByText('No matching changes').waitFor(),
    },
  ],
}
