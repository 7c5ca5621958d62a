import type { RequestFields } from './complete-request.ts'

/** Names of fields that look like an id of this service and are none. */
export const OTHER_IDS: Readonly<Record<string, string>> = {
  lastEventId: 'the number of an event in the stream of one workspace',
  userId: 'a player of the game platform',
  userIds: 'players of the game platform',
  expectedUserIds: 'players of the game platform',
  linkedUserId: 'a player of the game platform',
  confirmUserId: 'a player of the game platform',
  actorPlatformUserId: 'a player of the game platform',
  experienceId: 'an experience of the game platform',
  experiencePlaceId: 'a place of the game platform',
  'POST /portal/api/passkeys id': 'the credential id that an authenticator chose',
  'POST /portal/api/verification/passkey id': 'the credential id that an authenticator chose',
}

/** Fields whose own id and an unknown one get the same response, and why. */
export const INDIFFERENT_FIELDS: Readonly<Record<string, string>> = {
  'POST /portal/api/departments/order ids':
    'it must list every department, so a single id is always rejected',
  'POST /api/moderation/templates ids': 'it must list every template, so a single id is always rejected',
  'GET /portal/api/members/keys accountId': 'a member without keys of their own has none either',
  'GET /portal/api/members/webhooks accountId': 'a member without webhooks of their own has none either',
  'PATCH /portal/api/members expectedRoleIds': 'it must list exactly the roles that the member has',
  'PATCH /portal/api/members revokeKeyIds': 'it must list keys of the member who gets other roles',
  'PATCH /portal/api/roles revokeKeyIds': 'it must list keys of members of the role',
  'POST /portal/api/roles/permissions revokeKeyIds': 'it must list keys of members of the roles',
  'POST /portal/api/roles/permissions pauseWebhookIds': 'it must list webhooks of members of the roles',
  'POST /portal/api/roles/ranks revokeKeyIds': 'it must list keys of members of the roles',
  'DELETE /portal/api/roles revokeKeyIds': 'it must list keys of members of the role',
  'PATCH /portal/api/roles pauseWebhookIds': 'it must list webhooks of members of the role',
  'DELETE /portal/api/roles pauseWebhookIds': 'it must list webhooks of members of the role',
  'GET /portal/api/roles/webhooks roleIds': 'a role whose members have no webhooks has none either',
  'GET /portal/api/roles/keys roleIds': 'a role whose members have no keys has none either',
  'DELETE /portal/api/members revokeKeyIds': 'it must list keys of the member who is removed',
  'PATCH /portal/api/members pauseWebhookIds': 'it must list webhooks of the member who gets other roles',
  'POST /portal/api/ownership pauseWebhookIds': 'it must list webhooks of the former owner',
  'DELETE /portal/api/members pauseWebhookIds': 'it must list webhooks of the member who is removed',
  'POST /portal/api/account/delete pauseWebhookIds': 'it must list webhooks of the account that is deleted',
  'POST /portal/api/account/delete revokeKeyIds': 'it must list keys of the account that is deleted',
  'POST /portal/api/ownership revokeKeyIds': 'it must list keys of the former owner',
  'GET /portal/api/members q': 'it searches usernames',
  'GET /portal/api/assignees q': 'it searches usernames',
  'POST /portal/api/inbox/mentions ids':
    'it returns how much is unread, which a second request does not change',
  'POST /portal/api/inbox/mentions recordId':
    'it returns how much is unread, which a second request does not change',
  'GET /portal/api/players q': 'it searches players of the game platform',
}

/**
 * Fields with which a request only shows what it would do. Without them a batch is accepted whatever its ids are, and refuses them one
 * by one afterwards, as the preview does.
 */
export const PREVIEW_FIELDS: Readonly<Record<string, (action: string | undefined) => RequestFields>> = {
  'POST /api/moderation/batches': (action) => (action === 'cancel' ? {} : { dryRun: 'true' }),
}

/** Reads that are recorded in the audit log of the caller's workspace, whatever they find. */
export const RECORDED_READS: ReadonlySet<string> = new Set(['GET /portal/api/records.jsonl'])
