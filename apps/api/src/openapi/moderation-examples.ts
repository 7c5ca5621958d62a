import type { Example } from './example.ts'
import { exampleIds, examplePlayers } from './example-ids.ts'

const workspaceId = exampleIds.workspace
const { banned, muted, other } = examplePlayers

/** The examples of the operations on moderation. */
export const moderationExamples: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  'get moderation': {
    banCheck: {
      summary: 'Check whether a player is banned: an empty list means no',
      query: { workspaceId, banList: 'true', userId: banned },
    },
    banCheckOfServer: {
      summary: 'Check all players of a server',
      query: { workspaceId, banList: 'true', userId: [banned, muted, other].join(',') },
    },
    banCheckWithLinks: {
      summary: 'Check a player, and who may be the same person',
      query: { workspaceId, banList: 'true', userId: other, links: 'true' },
    },
    banCheckOfPlatform: {
      summary: 'Check a player of another platform than the default',
      query: { workspaceId, banList: 'true', userId: 'steam:STEAM_0:0:11101' },
    },
    banCheckAsOf: {
      summary: 'Check whether a player was banned at an earlier time',
      query: { workspaceId, banList: 'true', userId: banned, asOf: '2025-01-01T00:00:00Z' },
    },
    history: { summary: 'All bans and unbans', query: { workspaceId, banHistory: 'true', limit: '20' } },
    records: { summary: 'All records of one player', query: { workspaceId, userId: banned } },
    one: { summary: 'One record with its earlier versions', query: { workspaceId, id: exampleIds.ban } },
  },
  'post moderation': {
    banCheck: {
      summary: 'Check whether a player is banned, without a body',
      query: { workspaceId, banList: 'true', userId: banned },
    },
    ban: {
      summary: 'Ban a player permanently',
      body: {
        workspaceId,
        action: 'ban',
        userId: other,
        userUsername: 'Builderman',
        reason: 'Exploiting',
        evidence: 'https://example.com/clip.mp4',
      },
    },
    banForADay: {
      summary: 'Ban a player for a day',
      body: { workspaceId, action: 'ban', userId: other, reason: 'Spamming', durationSeconds: '86400' },
    },
    banOnBehalf: {
      summary: 'Ban a player on behalf of a staff member',
      body: {
        workspaceId,
        action: 'ban',
        userId: other,
        reason: 'Exploiting',
        actorPlatformUserId: '77',
        actorUsername: 'Ossian',
      },
    },
    template: {
      summary: 'Choose a template: its ladder decides the action',
      body: { workspaceId, userId: other, templateId: exampleIds.template },
    },
    lessThanLadder: {
      summary: 'Choose less than the ladder, with a reason',
      body: {
        workspaceId,
        action: 'note',
        userId: other,
        templateId: exampleIds.template,
        reason: 'A first attempt, and sorry',
      },
    },
    unban: {
      summary: 'Lift the ban of a player',
      body: { workspaceId, action: 'unban', userId: banned, reason: 'Appeal accepted' },
    },
    note: {
      summary: 'Add a note',
      body: { workspaceId, action: 'note', userId: other, reason: 'Asked for a mentor' },
    },
    warn: {
      summary: 'Warn a player',
      body: { workspaceId, action: 'warn', userId: other, reason: 'Language', severity: 'medium' },
    },
    kick: { summary: 'Record a kick', body: { workspaceId, action: 'kick', userId: other, reason: 'Away' } },
    mute: {
      summary: 'Mute a player for ten minutes',
      body: { workspaceId, action: 'mute', userId: other, reason: 'Shouting', durationSeconds: '600' },
    },
    unmute: { summary: 'Lift a mute', body: { workspaceId, action: 'unmute', userId: muted } },
    edit: {
      summary: 'Correct a record',
      body: { workspaceId, action: 'edit', id: exampleIds.ban, reason: 'Exploiting, second time' },
    },
    extend: {
      summary: 'Extend a ban by one hour',
      body: { workspaceId, action: 'extend', id: exampleIds.ban, value: '3600' },
    },
    comment: {
      summary: 'Comment on a record',
      body: { workspaceId, action: 'comment', id: exampleIds.ban, value: 'Seen by two of us.' },
    },
    evidence: {
      summary: 'Add evidence to a record',
      body: { workspaceId, action: 'evidence', id: exampleIds.ban, value: 'https://example.com/clip.mp4' },
    },
    acknowledge: {
      summary: 'Mark a record as seen by the player',
      body: { workspaceId, action: 'acknowledge', id: exampleIds.ban },
    },
    revoke: {
      summary: 'Revoke a record',
      body: { workspaceId, action: 'revoke', id: exampleIds.ban, reason: 'Mistaken identity' },
    },
    redact: {
      summary: 'Permanently redact a record',
      body: { workspaceId, action: 'redact', id: exampleIds.ban, reason: 'Request of the player' },
    },
  },
  'get moderation/templates': {
    list: { summary: 'All templates, in their order', query: { workspaceId } },
    one: {
      summary: 'One template with its earlier versions',
      query: { workspaceId, id: exampleIds.template },
    },
  },
  'post moderation/templates': {
    create: {
      summary: 'Create a template',
      body: {
        workspaceId,
        name: 'Spamming',
        publicReason: 'You sent the same message many times.',
        defaultSeverity: 'low',
        appealable: 'true',
        appealAfterDays: '7',
        ladderId: exampleIds.ladder,
      },
    },
    update: {
      summary: 'Change what the player reads',
      body: {
        workspaceId,
        action: 'update',
        id: exampleIds.template,
        publicReason: 'You used an exploit. This is against rule 4.',
      },
    },
    order: {
      summary: 'Sort the templates',
      body: { workspaceId, action: 'order', ids: exampleIds.template },
    },
  },
  'get moderation/ladders': {
    list: { summary: 'All ladders', query: { workspaceId } },
    one: { summary: 'One ladder with its earlier versions', query: { workspaceId, id: exampleIds.ladder } },
  },
  'post moderation/ladders': {
    create: {
      summary: 'Create a ladder',
      body: {
        workspaceId,
        name: 'Chat',
        windowDays: '90',
        steps:
          '[{"count":"1","action":"warn","decayDays":"30"},{"count":"2","action":"mute","durationSeconds":"3600"},{"count":"4","action":"ban","durationSeconds":"604800"}]',
      },
    },
    update: {
      summary: 'Change the window',
      body: { workspaceId, action: 'update', id: exampleIds.ladder, windowDays: '180' },
    },
  },
  'get moderation/retention': { read: { summary: 'The retention rules', query: { workspaceId } } },
  'post moderation/retention': {
    set: {
      summary: 'Delete notes after a year and warnings after two, and keep the rest',
      body: { workspaceId, noteDays: '365', warnDays: '730' },
    },
  },
  'get moderation/retention/preview': {
    notes: {
      summary: 'How many notes the next run would delete',
      query: { workspaceId, noteDays: '365' },
    },
  },
  'get moderation/preview': {
    preview: {
      summary: 'What a template leads to for a player',
      query: { workspaceId, userId: other, templateId: exampleIds.template },
    },
  },
  'post moderation/check': {
    check: {
      summary: 'Check all players of a game server',
      body: { workspaceId, userIds: [banned, muted, other].join(',') },
    },
  },
  'get moderation/approvals': {
    pending: {
      summary: 'The bans that wait for a decision, those that end next first',
      query: { workspaceId, state: 'pending', limit: '20' },
    },
    one: { summary: 'One request', query: { workspaceId, id: exampleIds.approval } },
  },
  'post moderation/approvals': {
    approve: {
      summary: 'Approve a permanent ban',
      body: { workspaceId, id: exampleIds.approval, action: 'approve' },
    },
    reject: {
      summary: 'Reject it, which lifts the ban',
      body: { workspaceId, id: exampleIds.approval, action: 'reject', reason: 'Not enough evidence' },
    },
  },
  'get moderation/batches': {
    list: { summary: 'The batches of a workspace, newest first', query: { workspaceId, limit: '20' } },
  },
  'post moderation/batches': {
    preview: {
      summary: 'See what banning several players would do',
      body: { workspaceId, action: 'ban', userIds: `${banned},${other}`, reason: 'Raid', dryRun: 'true' },
    },
    ban: {
      summary: 'Ban several players for a day',
      body: {
        workspaceId,
        action: 'ban',
        userIds: [banned, other].join(','),
        reason: 'Raid',
        durationSeconds: '86400',
      },
    },
    byLadder: {
      summary: 'Let the ladder of a template decide for a player',
      body: { workspaceId, templateId: exampleIds.template, userIds: other },
    },
    revoke: {
      summary: 'Revoke several records',
      body: { workspaceId, action: 'revoke', recordIds: exampleIds.ban, reason: 'Mistaken identity' },
    },
  },
  'get moderation/insights': {
    month: { summary: 'The last 30 days', query: { workspaceId } },
  },
  'get moderation/erasures': {
    list: { summary: 'All erasures', query: { workspaceId } },
  },
  'get moderation/erasures/preview': {
    ofPlayer: { summary: 'What an erasure of a player would remove', query: { workspaceId, userId: other } },
  },
  'post moderation/erasures': {
    pseudonymise: {
      summary: 'Remove the texts and the name of a player, and keep the ban',
      body: {
        workspaceId,
        userId: other,
        confirmUserId: other,
        mode: 'pseudonymise',
        reason: 'Request by e-mail of 3 May',
      },
    },
  },
  'get moderation/links': {
    list: { summary: 'All links', query: { workspaceId } },
    ofPlayer: { summary: 'Who may be the same person as a player', query: { workspaceId, userId: banned } },
    one: { summary: 'One link', query: { workspaceId, id: exampleIds.link } },
  },
  'post moderation/links': {
    create: {
      summary: 'Link two players',
      body: {
        workspaceId,
        userId: banned,
        linkedUserId: other,
        confidence: 'high',
        reason: 'Same voice, same clan tag',
      },
    },
    update: {
      summary: 'Change how sure you are',
      body: { workspaceId, action: 'update', id: exampleIds.link, confidence: 'low' },
    },
    delete: {
      summary: 'Delete a link',
      body: { workspaceId, action: 'delete', id: exampleIds.link },
    },
  },
}
