import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigationWorkspace } from '../api/me.ts'
import { formatCount, inboxCountsQuery } from '../components/inbox-queries.ts'
import { useAfterFirstScreen } from '../components/use-after-first-screen.ts'

/** How much waits for the user, once the first screen is shown; nothing if nothing does. */
export function InboxCount({ className }: { readonly className: string | undefined }) {
  const workspaceId = useNavigationWorkspace()?.id ?? ''
  const isDue = useAfterFirstScreen()
  const { data } = useQuery({ ...inboxCountsQuery(workspaceId), enabled: isDue && workspaceId !== '' })
  const count = [...(data?.values() ?? [])].reduce((sum, one) => sum + one, 0)
  if (count === 0) return null
  return (
    <span className={className}>
      {formatCount(count)}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  )
}
