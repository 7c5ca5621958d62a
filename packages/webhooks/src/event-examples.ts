import type { WebhookEvent } from '@reeve/core'

const id = '0198c0de-0000-7000-8000-000000000008'
const createdAt = '2026-03-01T18:00:00.000Z'
const times = { createdAt, updatedAt: createdAt }

const record = (workspaceId: string, hasEnded: boolean) => ({
  id,
  workspaceId,
  caseNumber: '17',
  action: 'ban',
  userId: '261',
  userUsername: 'Builderman',
  reason: 'Exploiting',
  severity: 'high',
  status: hasEnded ? 'revoked' : 'active',
  evidenceCount: '1',
  evidenceFileCount: '0',
  commentCount: '0',
  durationSeconds: '86400',
  expiresAt: '2026-03-02T18:00:00.000Z',
  actorUserId: '0198c0de-0000-7000-8000-000000000010',
  actorUsername: 'Ossian',
  actorPlatformUserId: null,
  ...times,
  acknowledgedAt: null,
  revokedAt: hasEnded ? createdAt : null,
  revokedBy: hasEnded ? '0198c0de-0000-7000-8000-000000000010' : null,
  revokedByUsername: hasEnded ? 'Robin' : null,
  revokedByPlatformUserId: null,
  revokeReason: hasEnded ? 'Appeal accepted' : null,
  redactedAt: null,
  occurredAt: null,
  originalModerator: null,
  source: null,
  sourceId: null,
  appealCode: '7K3M9-Q9TX2',
  appealableFrom: null,
  appealableUntil: null,
  templateId: null,
  templateVersion: null,
  ladderId: null,
  ladderVersion: null,
  step: null,
  countsUntil: null,
  publicReason: null,
  sequence: '42',
  version: hasEnded ? '2' : '1',
  message: hasEnded
    ? null
    : 'You are banned until 2 March 2026, 18:00 UTC. Reason: Exploiting. You can appeal. Appeal code: 7K3M9-Q9TX2',
  waitsForApproval: 'false',
})

const appeal = (isDecided: boolean) => ({
  id,
  recordId: id,
  caseNumber: '17',
  userId: '261',
  userUsername: 'Builderman',
  state: isDecided ? 'accepted' : 'submitted',
  submittedAt: createdAt,
  updatedAt: createdAt,
  closedAt: isDecided ? createdAt : null,
  decidedAt: isDecided ? createdAt : null,
  effect: isDecided ? 'The ban is lifted.' : null,
  final: 'false',
  banExpiresAt: '2026-03-02T18:00:00.000Z',
  messageCount: '1',
  version: isDecided ? '2' : '1',
  decidedBy: isDecided ? { id: '0198c0de-0000-7000-8000-000000000010', username: 'Ossian' } : null,
  claim: null,
})

/** What the body of an example has besides the workspace and the sequence, by the part of the type before the full stop. */
const examples: Readonly<Record<string, (workspaceId: string, verb: string) => object>> = {
  record: (workspaceId, verb) => ({
    record: verb === 'erased' ? { id, workspaceId } : record(workspaceId, verb === 'ended'),
  }),
  records: (workspaceId) => ({ deleted: { id, workspaceId, records: '15', notes: '12', warnings: '3' } }),
  ban: (workspaceId, verb) => ({ record: record(workspaceId, verb === 'ended') }),
  appeal: (_, verb) => ({ appeal: appeal(verb === 'decided') }),
  event: (workspaceId) => ({
    event: {
      id,
      workspaceId,
      title: 'Cadet training',
      description: null,
      scheduledFor: createdAt,
      endsAt: '2026-03-01T19:00:00.000Z',
      published: 'true',
      eventType: 'training',
      ...times,
      version: '1',
    },
  }),
  department: (workspaceId) => ({
    department: {
      id,
      workspaceId,
      name: 'Public relations',
      color: '#3366ff',
      description: 'Answers the community.',
      ...times,
      deletedAt: null,
      version: '1',
    },
  }),
  member: () => ({
    member: {
      accountId: id,
      username: 'robin',
      roles: [{ id, name: 'Moderator', color: null, rank: '10' }],
      rank: '10',
      joinedAt: createdAt,
      isOwner: 'false',
    },
  }),
  role: (workspaceId) => ({
    role: {
      id,
      workspaceId,
      name: 'Moderator',
      color: null,
      rank: '10',
      permissions: '["moderation.view","moderation.ban"]',
      isOwner: 'false',
      ...times,
      version: '2',
    },
  }),
  workspace: (workspaceId, verb) => ({
    workspace: {
      id: workspaceId,
      groupName: 'Night shift',
      archivedAt: verb === 'archived' ? createdAt : null,
      ...times,
      version: '2',
    },
  }),
  api_key: (workspaceId, verb) => ({
    apiKey: {
      id,
      workspaceId,
      name: 'Main game server',
      permissions: '["moderation.view"]',
      revokedAt: verb === 'revoked' ? createdAt : null,
    },
  }),
  endpoint_control: (workspaceId) => ({
    control: {
      workspaceId,
      endpoint: 'moderation',
      mode: 'read_only',
      message: 'Maintenance until 18:00',
      updatedAt: createdAt,
      updatedBy: id,
    },
  }),
}

/** An example of what an event is about. */
export function findExample(type: WebhookEvent, workspaceId: string): object {
  const [resource = '', verb = ''] = type.split('.')
  return examples[resource]?.(workspaceId, verb) ?? {}
}
