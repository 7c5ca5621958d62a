import { Anchor, Group } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link, Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLiveUpdates } from '../api/live-updates.ts'
import { useWorkspaceOrNull, type Workspace } from '../api/me.ts'
import { setLastWorkspace } from '../app/last-workspace.ts'
import { FullPageMessage } from '../components/full-page-message.tsx'
import { EndpointBanner } from './endpoint-banner.tsx'
import classes from './workspace-layout.module.css'

/** The layout of every workspace screen. */
export function WorkspaceLayout() {
  const workspace = useWorkspaceOrNull()
  if (!workspace) {
    return (
      <FullPageMessage title="You don’t belong to this workspace">
        <p>The workspace may not exist, or you may have been removed from it. Its owner can add you.</p>
        <Group>
          <Anchor component={Link} to="/workspaces">
            Your workspaces
          </Anchor>
        </Group>
      </FullPageMessage>
    )
  }
  return <WorkspaceContent key={workspace.id} workspace={workspace} />
}

function WorkspaceContent({ workspace: { id } }: { readonly workspace: Workspace }) {
  const isDisconnected = useLiveUpdates(id)
  useEffect(() => setLastWorkspace(id), [id])
  return (
    <>
      <EndpointBanner />
      <Outlet />
      <p role="status" className={classes.disconnected}>
        {isDisconnected ? (
          <>
            <IconPlugConnectedX size={14} aria-hidden /> Not connected: recent changes by others may be
            missing.
          </>
        ) : null}
      </p>
    </>
  )
}
