import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { setLastWorkspace } from '../../app/last-workspace.ts'
import { notifySuccess } from '../../components/toast.tsx'

/** Goes to the workspace that somebody just joined. What was known of them before is read anew. */
export function useRedirectToWorkspace() {
  const navigate = useNavigate()
  return async ({ id, groupName }: { readonly id: string; readonly groupName: string }) => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' })
    setLastWorkspace(id)
    await navigate({ to: '/w/$workspaceId', params: { workspaceId: id }, replace: true })
    notifySuccess(`Welcome to ${groupName}.`)
  }
}
