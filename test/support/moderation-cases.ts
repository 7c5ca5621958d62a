import { limitRole } from './role-limits.ts'
import type { ScreenContext } from './screen-states.ts'

const HOUR = '3600'
const WEEK = '604800'

/** Cases that states open, once created. */
export const caseIds: Record<string, string> = {}

/** Creates the cases that the screens of moderation show. */
export async function createModerationCases({ server, owner, workspaceId }: ScreenContext): Promise<void> {
  const { session } = owner
  const moderate = async (body: object, moderatorSession = session): Promise<string> => {
    const response = await server.requestOk('POST', '/api/moderation', {
      session: moderatorSession,
      body: { workspaceId, ...body },
    })
    return response.body.record.id
  }
  const stormPlayer = { userId: '261', userUsername: 'StormRider' }
  await moderate({
    action: 'note',
    userId: '261',
    userUsername: 'Rider_of_Storms',
    reason: 'Asked how to appeal.',
  })
  await moderate({ action: 'warn', ...stormPlayer, reason: 'Spamming the trade channel' })
  await moderate({
    action: 'mute',
    ...stormPlayer,
    reason: 'Spamming the trade channel',
    durationSeconds: HOUR,
  })
  await moderate({ action: 'kick', ...stormPlayer, reason: 'Blocking the spawn' })
  const id = await moderate({
    action: 'ban',
    ...stormPlayer,
    reason: 'Exploiting: walked through the vault’s wall, twice, in front of the whole night shift.',
    durationSeconds: WEEK,
    evidence: 'https://clips.example.com/261/vault-wall.mp4\nSeen by two of the staff on server 4.',
  })
  await moderate({
    action: 'comment',
    id,
    value: 'Same wall as last month. It is mended in the next release.',
  })
  await moderate({
    action: 'edit',
    id,
    reason: 'Exploiting: walked through the vault’s wall, twice.',
    severity: 'critical',
  })
  caseIds.ban = id
  await moderate({
    action: 'ban',
    userId: '90210',
    userUsername: 'xX_moonlight_collector_of_rare_hats_Xx',
    reason: 'Selling accounts',
  })
  await moderate({
    action: 'mute',
    userId: '156',
    userUsername: 'Quiet Owl',
    reason: 'Loud music',
    durationSeconds: WEEK,
  })
  const liftedBanId = await moderate({
    action: 'ban',
    userId: '156',
    userUsername: 'Quiet Owl',
    reason: 'Mistaken for 1566',
  })
  await moderate({ action: 'unban', id: liftedBanId, reason: 'The wrong player: it was 1566' })
  caseIds.warning = await moderate({
    action: 'warn',
    userId: '4416',
    userUsername: 'نجمة الليل',
    reason: 'Advertising another game',
  })
  const redactedNoteId = await moderate({ action: 'note', userId: '4416', reason: 'Holds a private address' })
  await moderate({ action: 'redact', id: redactedNoteId, reason: 'Asked for' })
  caseIds.redacted = redactedNoteId
  await limitModerator({ server, owner, workspaceId })
}

/** A member whose permanent bans need approval, and one who has requested it. */
async function limitModerator({
  server,
  owner,
  workspaceId,
}: Pick<ScreenContext, 'server' | 'owner' | 'workspaceId'>) {
  const session = await server.createMember({ workspaceId, session: owner.session }, 'trainee', [
    'moderation.view',
    'moderation.ban',
  ])
  await limitRole(server, { workspaceId, session: owner.session }, 'Role of trainee', {
    permanentBansNeedApproval: 'true',
    bansPerHour: '20',
    longestBanSeconds: WEEK,
  })
  const { record } = (
    await server.requestOk('POST', '/api/moderation', {
      session,
      body: { workspaceId, action: 'ban', userId: '777', reason: 'Selling accounts' },
    })
  ).body
  caseIds.pending = record.id
}
