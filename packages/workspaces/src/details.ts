import {
  type Actor,
  assertSetsField,
  changeDefaultPlatform,
  type ExpectedVersions,
  type Ports,
  parsePlatforms,
} from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { presentWorkspace, type WorkspaceDetailsInput } from './model.ts'
import { parseProfileUrl } from './profile-url.ts'
import { changeWorkspace, requireWorkspace } from './workspace-store.ts'

/**
 * Changes the name, the profile link, the default platform or the time for approvals of a workspace. Fields that are absent stay.
 * @throws AppError `invalid_request`, `version_mismatch`
 */
export async function updateWorkspaceDetails(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: WorkspaceDetailsInput & { ifMatch: ExpectedVersions },
) {
  assertSetsField(input, ['groupName', 'profileUrl', 'defaultPlatform', 'approvalHours'])
  const before = await requireWorkspace(tx, actor.workspaceId, input.ifMatch)
  const groupName = input.groupName ?? before.group_name
  const profileUrl = input.profileUrl == null ? input.profileUrl : parseProfileUrl(input.profileUrl)
  const platforms = parsePlatforms(before.platforms)
  const defaultPlatform = input.defaultPlatform ?? platforms[0]
  const columns = {
    group_name: groupName,
    profile_url: profileUrl === undefined ? before.profile_url : profileUrl,
    approval_hours: input.approvalHours === undefined ? before.approval_hours : input.approvalHours,
    platforms:
      defaultPlatform === platforms[0]
        ? before.platforms
        : JSON.stringify(changeDefaultPlatform(platforms, defaultPlatform)),
  }
  const isRenamed = columns.group_name !== before.group_name
  const isUpdated = (['profile_url', 'approval_hours', 'platforms'] as const).some(
    (column) => columns[column] !== before[column],
  )
  if (!isRenamed && !isUpdated) return { workspace: presentWorkspace(before) }
  const action = isUpdated ? 'update' : 'rename'
  return {
    workspace: presentWorkspace(await changeWorkspace(tx, ports, actor, before, { action, ...columns })),
  }
}
