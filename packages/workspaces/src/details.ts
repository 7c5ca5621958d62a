import { type Actor, assertSetsField, type ExpectedVersions, type Ports } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { presentWorkspace, type WorkspaceDetailsInput } from './model.ts'
import { parseProfileUrl } from './profile-url.ts'
import { changeWorkspace, requireWorkspace } from './workspace-store.ts'

/**
 * Changes the name or the profile link of a workspace. Fields that are absent stay.
 * @throws AppError `invalid_request`, `version_mismatch`
 */
export async function updateWorkspaceDetails(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: WorkspaceDetailsInput & { ifMatch: ExpectedVersions },
) {
  assertSetsField(input, ['groupName', 'profileUrl'])
  const before = await requireWorkspace(tx, actor.workspaceId, input.ifMatch)
  const groupName = input.groupName ?? before.group_name
  const profileUrl = input.profileUrl == null ? input.profileUrl : parseProfileUrl(input.profileUrl)
  const columns = {
    group_name: groupName,
    profile_url: profileUrl === undefined ? before.profile_url : profileUrl,
  }
  const isRenamed = columns.group_name !== before.group_name
  const isLinkChanged = columns.profile_url !== before.profile_url
  if (!isRenamed && !isLinkChanged) return { workspace: presentWorkspace(before) }
  const action = isLinkChanged ? 'update' : 'rename'
  return {
    workspace: presentWorkspace(await changeWorkspace(tx, ports, actor, before, { action, ...columns })),
  }
}
