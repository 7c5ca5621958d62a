import type { Permission } from '@reeve/core'

/** A request of a route whose permission depends on its fields, and the permission that the documentation states for it. */
export interface PermissionChoice {
  /** In the body if the method has one, else in the query. */
  readonly fields: Readonly<Record<string, string>>
  /** Null if membership, or the API key itself, is enough. */
  readonly forKey: Permission | null
  readonly forSession: Permission | null
  /** Whether the request names its workspace. Default: as the route requires. */
  readonly namesWorkspace?: boolean
  /** Whether it only reads although its method is unsafe. */
  readonly isRead?: boolean
  /** Whether it works while the workspace is archived, although it writes. */
  readonly worksWhenArchived?: boolean
  /** Whether a session needs a recently verified factor. Default: as the rule says. */
  readonly requiresVerification?: boolean
}

const choice = (
  fields: Readonly<Record<string, string>>,
  permission: Permission | null,
  options: Pick<
    PermissionChoice,
    'namesWorkspace' | 'isRead' | 'worksWhenArchived' | 'requiresVerification'
  > = {},
): PermissionChoice => ({ fields, forKey: permission, forSession: permission, ...options })

const act = (action: string, permission: Permission): PermissionChoice => choice({ action }, permission)

const controlsOfCaller: readonly PermissionChoice[] = [
  // A session names no workspace here: it gets every workspace in which it has the permission.
  { fields: {}, forKey: 'endpoint_controls.view', forSession: null, namesWorkspace: false, isRead: true },
]

const webhookChanges: readonly PermissionChoice[] = [
  // Names and pauses can be changed without a recently verified factor.
  choice({ action: 'pause' }, 'webhooks.manage', { requiresVerification: false }),
  choice({ action: 'rotate' }, 'webhooks.manage', { requiresVerification: true }),
  choice({ url: 'https://example.com/hook' }, 'webhooks.manage', { requiresVerification: true }),
  choice({ events: 'ban.created' }, 'webhooks.manage', { requiresVerification: true }),
]

/** Only a request that grants roles needs a recently verified factor. */
const roleGrants: readonly PermissionChoice[] = [
  choice({}, 'members.manage', { requiresVerification: false }),
  choice({ roleIds: '["0198c0de-dead-7000-8000-00000000dead"]' }, 'members.manage', {
    requiresVerification: true,
  }),
]

/**
 * The documented permission of each request (`docs/api.md`) for the routes whose rule says that the request decides. The names
 * are those under the current prefix.
 */
export const permissionChoices: Readonly<Record<string, readonly PermissionChoice[]>> = {
  'PATCH /api/webhooks': webhookChanges,
  'PATCH /portal/api/members': roleGrants,
  'POST /portal/api/invitations': roleGrants,
  'POST /api/webhooks': webhookChanges,
  'POST /api/moderation': [
    choice({}, 'moderation.view', { isRead: true }),
    act('note', 'moderation.note'),
    act('warn', 'moderation.warn'),
    act('warning', 'moderation.warn'),
    act('kick', 'moderation.kick'),
    act('mute', 'moderation.mute'),
    act('unmute', 'moderation.mute'),
    act('ban', 'moderation.ban'),
    act('temp_ban', 'moderation.ban'),
    act('perm_ban', 'moderation.ban'),
    act('unban', 'moderation.unban'),
    act('pardon', 'moderation.unban'),
    act('edit', 'moderation.edit'),
    act('extend', 'moderation.edit'),
    act('comment', 'moderation.note'),
    act('evidence', 'moderation.note'),
    act('acknowledge', 'moderation.note'),
    act('revoke', 'moderation.revoke'),
    act('redact', 'moderation.redact'),
    choice({ templateId: '0198c0de-dead-7000-8000-00000000dead' }, 'moderation.view'),
  ],
  'POST /api/moderation/batches': [
    choice({}, 'moderation.bulk'),
    choice({ dryRun: 'true' }, 'moderation.bulk', { isRead: true }),
  ],
  'POST /api/moderation/check': [choice({}, 'moderation.view', { isRead: true })],
  'GET /portal/api/inbox': [
    choice({ source: 'assigned' }, 'moderation.view'),
    choice({ source: 'approvals' }, 'moderation.approve'),
    choice({ source: 'appeals' }, 'appeals.decide'),
    choice({ source: 'mentions' }, 'moderation.view'),
  ],
  'GET /api/workspaces': [
    { fields: {}, forKey: 'workspace.view', forSession: null },
    { fields: {}, forKey: 'workspace.view', forSession: null, namesWorkspace: false },
    choice({ archives: 'true' }, 'workspace.view'),
  ],
  'POST /api/workspaces': [
    {
      fields: { groupName: 'x' },
      forKey: 'workspace.create',
      forSession: null,
      namesWorkspace: false,
      requiresVerification: false,
    },
    choice({ action: 'rename', groupName: 'x' }, 'workspace.rename', { requiresVerification: false }),
    choice({ groupName: 'x' }, 'workspace.rename', { requiresVerification: false }),
    choice({ action: 'archive' }, 'workspace.archive', {
      worksWhenArchived: true,
      requiresVerification: true,
    }),
    choice({ archive: 'true' }, 'workspace.archive', { worksWhenArchived: true, requiresVerification: true }),
    choice({ action: 'restore' }, 'workspace.restore', {
      worksWhenArchived: true,
      requiresVerification: true,
    }),
    choice({ archive: 'false' }, 'workspace.restore', {
      worksWhenArchived: true,
      requiresVerification: true,
    }),
  ],
  'GET /api/endpoint-controls': controlsOfCaller,
  'POST /api/endpoint-controls': controlsOfCaller,
  'DELETE /portal/api/members': [
    // People leave a workspace without a permission: `access-services.test.ts` shows that.
    choice({ accountId: '0198c0de-dead-7000-8000-00000000dead' }, 'members.manage', {
      worksWhenArchived: true,
    }),
  ],
  'GET /portal/api/members/keys': [
    choice({ accountId: '0198c0de-dead-7000-8000-00000000dead' }, 'members.manage'),
  ],
  'GET /portal/api/members/webhooks': [
    choice({ accountId: '0198c0de-dead-7000-8000-00000000dead' }, 'members.manage'),
  ],
}
