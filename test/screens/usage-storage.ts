import { dataUrl, imageBytes } from '../support/images.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

let path = ''

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
  path = `/w/${workspaceId}/configuration/api/usage`
}

/** Usage without storage left. */
export const screens: ScreenFile = {
  prepare,
  states: [
    {
      name: 'usage-storage-used-up',
      path: () => path,
      heading: 'Usage',
      arrange: (page) => page.getByText('The storage is used up').waitFor(),
    },
  ],
}
