import type { Scene, Screens } from '../support/scene.ts'

const USERNAME = 'rowan'
let workspaceId = ''

/** A log with a bit of everything. */
async function settle({ place }: Scene): Promise<void> {
  await place.account(USERNAME)
  const session = await place.session(USERNAME)
  const { body } = await place.must('POST', '/api/workspaces', { session, body: { groupName: 'Lighthouse' } })
  workspaceId = body.workspace.id
  const make = (path: string, given: object) =>
    place.must('POST', path, { session, body: { workspaceId, ...given } })
  const key = await make('/portal/api/api-keys', { name: 'Game server', permissions: 'moderation.view' })
  await make('/portal/api/api-keys/revoke', { id: key.body.apiKey.id })
  const { role } = (
    await make('/portal/api/roles', { name: 'Moderator', rank: '10', permissions: 'moderation.view' })
  ).body
  await make('/api/_workspace-permissions', {
    roleId: role.id,
    permissions: 'moderation.view,moderation.note,events.view',
  })
  await make('/api/events', { title: 'Cadet training', scheduledFor: '2027-03-01T18:00:00Z' })
  const { record } = (
    await make('/api/moderation', {
      action: 'ban',
      userId: '261',
      userUsername: 'Builderman',
      reason: 'Exploiting',
      durationSeconds: '86400',
    })
  ).body
  await make('/api/moderation', {
    action: 'edit',
    id: record.id,
    reason: 'Exploiting in the harbour, seen by three moderators',
    severity: 'critical',
  })
  await make('/api/moderation', { action: 'unban', userId: '261', reason: 'It was a lag spike after all' })
}

const heading = 'Audit log'
const as = ({ place }: Scene) => place.session(USERNAME)

/** Who changed what. */
export const screens: Screens = {
  prepare: settle,
  looks: [
    {
      name: 'audit',
      at: () => `/w/${workspaceId}/audit`,
      heading,
      as,
      reach: (page) => page.getByRole('article').first().waitFor(),
    },
    {
      name: 'audit-changes',
      at: () => `/w/${workspaceId}/audit?what=moderation.edit`,
      heading,
      as,
      async reach(page) {
        await page.getByRole('button', { name: /^Changes/ }).click()
        await page.getByRole('button', { name: /^All \d+ fields$/ }).waitFor()
      },
    },
    {
      name: 'audit-made',
      at: () => `/w/${workspaceId}/audit?what=roles.update`,
      heading,
      as,
      async reach(page) {
        await page.getByRole('button', { name: /^Changes/ }).click()
        await page.getByText('Read published events').waitFor()
      },
    },
    {
      name: 'audit-nothing',
      at: () => `/w/${workspaceId}/audit?what=roles.delete`,
      heading,
      as,
      reach: (page) => page.getByText('Nothing like that was done').waitFor(),
    },
  ],
}
