import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

/** The workspaces whose endpoints are restricted, once created. */
const workspaceIds: Record<string, string> = {}

async function prepare({ server, owner: { session } }: ScreenContext): Promise<void> {
  for (const mode of ['read_only', 'off']) {
    const { body } = await server.requestOk('POST', '/api/workspaces', {
      session,
      body: { groupName: 'Night Shift (moving)' },
    })
    const workspaceId = String(body.workspace.id)
    const post = (path: string, fields: object) =>
      server.requestOk('POST', path, { session, body: { workspaceId, ...fields } })
    await post('/api/moderation', { action: 'ban', userId: '261', reason: 'Exploiting' })
    await post('/api/departments', { name: 'Rangers' })
    for (const endpoint of ['moderation', 'departments'])
      await post('/portal/api/endpoint-controls', {
        endpoint,
        mode,
        message: 'We are moving the records. Back at 18:00 UTC.',
      })
    workspaceIds[mode] = workspaceId
  }
}

/** Screens whose endpoint is read-only or off. */
export const screens: ScreenFile = {
  prepare,
  states: [
    {
      name: 'endpoint-read-only-player',
      path: () => `/w/${workspaceIds.read_only}/moderation/players/261`,
      heading: '261',
      async arrange(page) {
        await page.getByRole('button', { name: 'Ban', exact: true }).focus()
        await page.getByRole('tooltip').waitFor()
      },
    },
    {
      name: 'endpoint-read-only-departments',
      path: () => `/w/${workspaceIds.read_only}/departments`,
      heading: 'Departments',
      async arrange(page) {
        await page.getByRole('button', { name: 'Change Rangers' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
      },
    },
    {
      name: 'endpoint-off-bans',
      path: () => `/w/${workspaceIds.off}/moderation/bans`,
      heading: 'Active bans',
    },
  ],
}
