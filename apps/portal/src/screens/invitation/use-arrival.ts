import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../api/query.ts'
import { rememberWorkspace } from '../../app/last-workspace.ts'
import { tellDone } from '../../components/tell.tsx'

/** Goes to the workspace that somebody just joined. What was known of them before is read anew. */
export function useArrival() {
  const navigate = useNavigate()
  return async ({ id, groupName }: { readonly id: string; readonly groupName: string }) => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' })
    rememberWorkspace(id)
    await navigate({ to: '/w/$workspaceId', params: { workspaceId: id }, replace: true })
    tellDone(`Welcome to ${groupName}.`)
  }
}
