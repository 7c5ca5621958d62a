import { Alert, Button, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { findWorkspaceByPath, type Me, useMe } from '../../api/me.ts'
import { verifyUser } from '../../api/verification.ts'
import { toInternalPath } from '../../app/search-params.ts'
import { useLeaveWorkspace } from '../../components/leave-workspace.ts'
import { notifyError } from '../../components/toast.tsx'
import { useRefreshFactors } from './factors.ts'

/** What is required of the user, and by whom. @param to the page that was requested */
function findRequirement(me: Me, to: string | undefined) {
  const workspace = to === undefined ? undefined : findWorkspaceByPath(me, to)
  return me.missingSecondFactor === 'none' && workspace
    ? { missingSecondFactor: workspace.missingSecondFactor, requiredBy: workspace.groupName, workspace }
    : { missingSecondFactor: me.missingSecondFactor, requiredBy: 'This instance', workspace: null }
}

/**
 * Says that this instance, or the workspace that was requested, requires a second factor, and returns to the page that was requested once it has one.
 * @param isBusy while something is still shown that must be read, such as recovery codes
 */
export function RequiredFactorAlert({ isBusy }: { readonly isBusy: boolean }) {
  const me = useMe()
  const { to } = useSearch({ strict: false })
  const { missingSecondFactor, requiredBy, workspace } = findRequirement(me, to)
  const navigate = useNavigate()
  const refresh = useRefreshFactors()
  const confirmLeave = useLeaveWorkspace()
  const wasMissing = useRef(false)
  const isMissing = missingSecondFactor !== 'none'
  useEffect(() => {
    if (isMissing) wasMissing.current = true
    else if (wasMissing.current && !isBusy && to !== undefined)
      void navigate({ href: toInternalPath(to), replace: true })
  }, [isMissing, isBusy, to, navigate])
  if (!isMissing) return null
  return (
    <Alert color="yellow" title={`${requiredBy} requires a second factor`}>
      {missingSecondFactor === 'add' ? (
        <Text size="sm">Add one below to continue. It takes a minute, and you return to where you were.</Text>
      ) : (
        <Stack gap="sm" align="flex-start">
          <Text size="sm">Your account has one, but you signed in here without it.</Text>
          <Button onClick={() => verifyUser().then(() => void refresh(), notifyError)}>
            Confirm that it is you
          </Button>
        </Stack>
      )}
      {workspace === null || workspace.isOwner ? null : (
        <Button variant="default" mt="sm" onClick={() => confirmLeave(workspace)}>
          {`Leave ${workspace.groupName}`}
        </Button>
      )}
    </Alert>
  )
}
