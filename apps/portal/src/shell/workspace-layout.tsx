import { Anchor, Group } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLiveUpdates } from '../api/live-updates.ts'
import { meQuery, useWorkspaceOrNull, type Workspace } from '../api/me.ts'
import { setLastWorkspace } from '../app/last-workspace.ts'
import { loadCode } from '../app/load-code.ts'
import { readDialogTexts, readDisappearedTexts, type TypedText } from '../components/dialog-texts.ts'
import { FullPageMessage } from '../components/full-page-message.tsx'
import { notifyError } from '../components/toast.tsx'
import { EndpointBanner } from './endpoint-banner.tsx'
import classes from './workspace-layout.module.css'

/** The layout of every workspace screen. */
export function WorkspaceLayout() {
  const workspace = useWorkspaceOrNull()
  if (!workspace) {
    return (
      <FullPageMessage title="You don’t belong to this workspace">
        <p>The workspace may not exist, or you may have been removed from it. Its owner can invite you.</p>
        <Group>
          <Anchor component={Link} to="/workspaces">
            Your workspaces
          </Anchor>
        </Group>
      </FullPageMessage>
    )
  }
  // The guard has checked it, but the grace period may have ended since.
  if (workspace.missingSecondFactor !== 'none') return <SecondFactorRedirect />
  return <WorkspaceContent key={workspace.id} workspace={workspace} />
}

/** Leads to where a second factor is added, and back from there. */
function SecondFactorRedirect() {
  const { href } = useLocation()
  // The location changes as soon as the navigation begins.
  const [to] = useState(href)
  const navigate = useNavigate()
  useEffect(() => void navigate({ to: '/account', search: { to }, replace: true }), [navigate, to])
  return null
}

function rescueTexts(texts: readonly TypedText[]): void {
  if (texts.length === 0) return
  loadCode(() => import('../components/rescued-text.tsx')).then(
    ({ openRescuedTexts }) => openRescuedTexts(texts),
    notifyError,
  )
}

/**
 * Shows what was typed into dialogs once more, if somebody has ended the access of the user to the workspace meanwhile, or has removed
 * a permission that their screen requires.
 */
function useTextRescue({ id, permissions }: Workspace): void {
  const previousPermissions = useRef(permissions)
  useLayoutEffect(() => {
    if ([...previousPermissions.current].some((permission) => !permissions.has(permission)))
      rescueTexts(readDisappearedTexts())
    previousPermissions.current = permissions
  }, [permissions])
  const client = useQueryClient()
  // The fields of the dialogs are still there.
  useLayoutEffect(
    () => () => {
      const me = client.getQueryData(meQuery.queryKey)
      const workspace = me?.workspaces.find((one) => one.id === id)
      if (me === undefined || workspace?.missingSecondFactor === 'none') return
      rescueTexts(readDialogTexts())
    },
    [client, id],
  )
}

function WorkspaceContent({ workspace }: { readonly workspace: Workspace }) {
  const { id } = workspace
  useTextRescue(workspace)
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
