import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../../api/me.ts'
import type { OpenAppeal, PlayerSummary } from '../queries.ts'

/** The open appeal of a ban, for those who may view appeals; undefined without one. */
export const findOpenAppeal = (player: PlayerSummary | null, recordId: string): OpenAppeal | undefined =>
  player?.openAppeals.find((appeal) => appeal.recordId === recordId)

/** Leads to an open appeal. */
export function OpenAppealLink({ appeal }: { readonly appeal: OpenAppeal }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => (
        <Link {...props} to="/w/$workspaceId/appeals/$id" params={{ workspaceId, id: appeal.id }} />
      )}
    >
      Appeal open
    </Anchor>
  )
}
