import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

let path = ''

/** A workspace whose storage is used up. */
async function prepare({ server, owner: { session } }: ScreenContext): Promise<void> {
  const send = async (to: string, body: object) =>
    (await server.requestOk('POST', to, { session, body })).body
  const workspaceId: string = (await send('/api/workspaces', { groupName: 'Lighthouse Keepers' })).workspace
    .id
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await send('/api/events', {
    workspaceId,
    title: 'Night watch',
    scheduledFor: '2030-01-01T20:00:00Z',
    imageDataUrl: `data:image/png;base64,${png}`,
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
