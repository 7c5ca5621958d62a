/** A test outside this folder that shows the checks of a file: they decide what a response contains, or need a job. */
type TestedBy = `${string}.test.ts`

/**
 * Every file of a package that checks a permission or a rank itself, with the number of its checks. `access-services.test.ts` finds
 * them in the sources: a new one fails until a case reaches it, or a test is named here.
 */
export const serviceChecks: Readonly<
  Record<string, { readonly checks: number; readonly testedBy?: TestedBy }>
> = {
  'auth/src/api-keys/create.ts': { checks: 1 },
  'auth/src/api-keys/creator.ts': { checks: 2, testedBy: 'contract/portal/creator-keys.test.ts' },
  'auth/src/api-keys/lifecycle.ts': { checks: 2 },
  'auth/src/stored-actor.ts': { checks: 1, testedBy: 'contract/workspaces/jobs-access.test.ts' },
  'auth/src/workspace-limit.ts': { checks: 1, testedBy: 'contract/workspaces/limits.test.ts' },
  'endpoint-controls/src/service.ts': { checks: 1, testedBy: 'contract/endpoint-controls/access.test.ts' },
  'events/src/change.ts': { checks: 3, testedBy: 'contract/events/access.test.ts' },
  'events/src/images/visibility.ts': { checks: 1, testedBy: 'contract/events/image-access.test.ts' },
  'events/src/read.ts': { checks: 2, testedBy: 'contract/events/access.test.ts' },
  'instance/src/reports/create.ts': { checks: 1, testedBy: 'contract/portal/reports.test.ts' },
  'members/src/assign.ts': { checks: 3 },
  'members/src/change.ts': { checks: 2 },
  'members/src/former/service.ts': { checks: 1, testedBy: 'contract/portal/blank-name.test.ts' },
  'members/src/invitations/accept.ts': { checks: 1, testedBy: 'contract/portal/invitation-accept.test.ts' },
  'members/src/invitations/invitation.ts': {
    checks: 1,
    testedBy: 'contract/portal/invitation-token.test.ts',
  },
  'members/src/invitations/pending.ts': { checks: 1 },
  'members/src/ownership.ts': { checks: 1, testedBy: 'contract/portal/ownership.test.ts' },
  'members/src/second-factors.ts': { checks: 1, testedBy: 'contract/portal/second-factor-policy.test.ts' },
  'members/src/players.ts': { checks: 1, testedBy: 'contract/moderation/limits.test.ts' },
  'moderation/src/assert-writable.ts': { checks: 2, testedBy: 'contract/moderation/switched-off.test.ts' },
  'moderation/src/appeals/decide.ts': { checks: 1, testedBy: 'contract/appeals/decisions.test.ts' },
  'moderation/src/appeals/list.ts': { checks: 1, testedBy: 'contract/appeals/decisions.test.ts' },
  'moderation/src/appeals/staff.ts': { checks: 1, testedBy: 'contract/appeals/decisions.test.ts' },
  'moderation/src/approvals/decide.ts': { checks: 1, testedBy: 'contract/moderation/approvals.test.ts' },
  'moderation/src/approvals/model.ts': { checks: 1, testedBy: 'contract/moderation/approvals.test.ts' },
  'moderation/src/players/search.ts': { checks: 1, testedBy: 'contract/portal/player-appeals.test.ts' },
  'moderation/src/limits/assert-limits.ts': { checks: 1, testedBy: 'contract/moderation/limits.test.ts' },
  'moderation/src/limits/members-of-player.ts': { checks: 1, testedBy: 'contract/moderation/limits.test.ts' },
  'moderation/src/limits/portal-routes.ts': { checks: 1, testedBy: 'contract/moderation/limits.test.ts' },
  'moderation/src/evidence-files/pending.ts': {
    checks: 1,
    testedBy: 'contract/evidence-files/required-evidence.test.ts',
  },
  'moderation/src/imports/importer.ts': { checks: 1, testedBy: 'contract/moderation/import-rules.test.ts' },
  'moderation/src/batches/apply-item.ts': { checks: 1, testedBy: 'contract/moderation/batches.test.ts' },
  'moderation/src/batches/beyond-undo.ts': {
    checks: 1,
    testedBy: 'contract/moderation/batch-undo-effects.test.ts',
  },
  'moderation/src/batches/create.ts': { checks: 1, testedBy: 'contract/moderation/batches.test.ts' },
  'moderation/src/batches/describe-players.ts': {
    checks: 1,
    testedBy: 'contract/moderation/batches.test.ts',
  },
  'moderation/src/batches/revert-record.ts': {
    checks: 5,
    testedBy: 'contract/moderation/batch-undo.test.ts',
  },
  'moderation/src/batches/run.ts': { checks: 1, testedBy: 'contract/moderation/batches.test.ts' },
  'moderation/src/batches/settled.ts': {
    checks: 1,
    testedBy: 'contract/moderation/batch-left-alone.test.ts',
  },
  'moderation/src/inbox/service.ts': { checks: 1, testedBy: 'contract/moderation/teamwork.test.ts' },
  'moderation/src/mentions/resolve.ts': { checks: 1, testedBy: 'contract/moderation/teamwork.test.ts' },
  'moderation/src/records/assert-replaces.ts': {
    checks: 1,
    testedBy: 'contract/moderation/conflicts.test.ts',
  },
  'moderation/src/records/sanction.ts': { checks: 2 },
  'moderation/src/saved-views/service.ts': { checks: 2 },
  'moderation/src/templates/override.ts': {
    checks: 2,
    testedBy: 'contract/moderation/ladder-override.test.ts',
  },
  'moderation/src/templates/resolve.ts': { checks: 1 },
  'overview/src/first-steps.ts': { checks: 2, testedBy: 'contract/portal/overview.test.ts' },
  'overview/src/read.ts': { checks: 2, testedBy: 'contract/portal/overview.test.ts' },
  'permissions/src/change.ts': { checks: 6 },
  'permissions/src/role-keys.ts': { checks: 1, testedBy: 'contract/portal/role-keys.test.ts' },
  'search/src/events.ts': { checks: 1, testedBy: 'contract/portal/search.test.ts' },
  'search/src/service.ts': { checks: 1, testedBy: 'contract/portal/search.test.ts' },
  'webhooks/src/deliveries/model.ts': { checks: 1, testedBy: 'contract/webhooks/management.test.ts' },
  'webhooks/src/resume.ts': { checks: 2, testedBy: 'contract/webhooks/confirmation.test.ts' },
  'webhooks/src/service.ts': { checks: 1, testedBy: 'contract/webhooks/management.test.ts' },
  'workspaces/src/archive-download.ts': { checks: 1 },
  'workspaces/src/can-roll-back.ts': { checks: 2, testedBy: 'contract/workspaces/roll-back.test.ts' },
  'workspaces/src/copy-from-archive.ts': { checks: 5 },
  'workspaces/src/deletion/request.ts': { checks: 1, testedBy: 'contract/workspaces/deletion.test.ts' },
  'workspaces/src/jobs/end-job.ts': { checks: 1 },
  'workspaces/src/second-factor-policy.ts': {
    checks: 1,
    testedBy: 'contract/portal/second-factor-policy.test.ts',
  },
}

/** The calls that check a permission or a rank. */
export const CHECK_CALLS =
  /\b(?:requirePermission|hasPermission|missingPermission|forbidden|assertCanGrant|assertCanManage|assertOutranks|canManageApiKey)\(/g
