import type { Instance } from './instance.ts'

/** Lets players send files with appeals, which a new workspace does not. */
export async function allowAppealFiles(
  instance: Instance,
  { id, ownerSession }: { readonly id: string; readonly ownerSession: string },
): Promise<void> {
  const response = await instance.request('PATCH', '/portal/api/appeals/settings', {
    session: ownerSession,
    body: { workspaceId: id, allowFiles: 'true' },
  })
  if (response.status !== 200) throw new Error(response.text)
}
