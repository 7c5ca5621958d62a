import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { setLastWorkspace } from '../../app/last-workspace.ts'
import { notifySuccess } from '../../components/toast.tsx'

/** Redirects to the joined workspace and drops cached data about the user. */
export function useRedirectToWorkspace() {
  const navigate = useNavigate()
  return async ({ id, groupName }: { readonly id: string; readonly groupName: string }) => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' })
    setLastWorkspace(id)
    await navigate({ to: '/w/$workspaceId', params: { workspaceId: id }, replace: true })
    notifySuccess(`Welcome to ${groupName}.`)
  }
}
