import { dataUrl, imageBytes } from '../support/images.ts'
import { pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

let workspacePath = ''

/** A workspace whose storage is used up. */
async function prepare({ server, owner: { session } }: ScreenContext): Promise<void> {
  const send = async (to: string, body: object) =>
    (await server.requestOk('POST', to, { session, body })).body
  const workspaceId: string = (await send('/api/workspaces', { groupName: 'Lighthouse Keepers' })).workspace
    .id
  await send('/api/events', {
    workspaceId,
    title: 'Night watch',
    scheduledFor: '2030-01-01T20:00:00Z',
    imageDataUrl: dataUrl(imageBytes('png')),
  })
  for (const userId of ['261', '262', '263'])
    await send('/api/moderation', { workspaceId, action: 'warn', userId, reason: 'Spam '.repeat(40) })
  await send('/api/workspaces', { id: workspaceId, action: 'archive' })
  await send('/api/workspaces', { id: workspaceId, action: 'restore' })
  await send('/admin/api/quotas', { workspaceId, storageQuota: '4KB', monthlyQuota: '1000' })
  workspacePath = `/w/${workspaceId}`
}

/** What a workspace without storage left shows. */
export const screens: ScreenFile = {
  prepare,
  states: [
    {
      name: 'usage-storage-used-up',
      path: () => `${workspacePath}/configuration/api/usage`,
      heading: 'Usage',
      arrange: (page) => page.getByText('The storage is used up').waitFor(),
    },
    {
      name: 'player-storage-used-up',
      path: () => `${workspacePath}/moderation/players/261`,
      heading: '261',
      allowedErrors: /status of 409/,
      async arrange(page) {
        await pressButton(page, 'Note')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Reason').fill('Asked again whether the ban can be lifted earlier')
        await pressButton(page, 'Add note to 261')
        await dialog.getByRole('alert').getByText('storage quota').waitFor()
      },
    },
    {
      name: 'workspace-storage-used-up',
      path: () => `${workspacePath}/configuration/workspace`,
      heading: 'Workspace',
      allowedErrors: /status of 409/,
      async arrange(page) {
        await pressButton(page, 'Archive…')
        await pressButton(page, 'Archive workspace')
        await page.getByRole('dialog').getByRole('alert').getByText('storage quota').waitFor()
      },
    },
  ],
}
