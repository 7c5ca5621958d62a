import { DAY, deskIds, getDeskOwner, LONG_TEXT, type Send } from './desk-client.ts'
import { limitRole } from './role-limits.ts'
import type { ScreenContext } from './screen-states.ts'

const LIMITED = 'bracken'
const KEY_MANAGER = 'teasel'

/** The session of the member of the desk whose role has limits. */
export const getLimitedModerator = ({ server }: ScreenContext): Promise<string> => server.session(LIMITED)

const ladderSteps = [
  { count: '1', action: 'mute', durationSeconds: String(DAY), decayDays: null },
  { count: '2', action: 'ban', durationSeconds: String(2 * DAY), decayDays: null },
]

/** A moderator whose role has limits, bans of theirs that wait for approval, and cases whose changes the limits concern. */
export async function createLimitedModerator(context: ScreenContext, send: Send): Promise<void> {
  const deskOwner = getDeskOwner(context)
  const session = await context.server.createMember(deskOwner, LIMITED, [
    'moderation.view',
    'moderation.mute',
    'moderation.ban',
    'moderation.edit',
    'moderation.bulk',
    'appeals.view',
  ])
  await limitRole(context.server, deskOwner, `Role of ${LIMITED}`, {
    permanentBansNeedApproval: 'true',
    longestBanSeconds: String(3 * DAY),
    highestSeverity: 'medium',
    bansPerHour: '5',
  })
  const moderate = async (body: object, moderatorSession?: string): Promise<string> =>
    (await send('POST', '/api/moderation', body, moderatorSession)).record.id
  const requestBan = (body: object) => moderate({ action: 'ban', severity: 'medium', ...body }, session)
  await requestBan({ userId: '3013', userUsername: 'Kestrel9', reason: 'Sold four accounts in an hour' })
  await requestBan({ userId: '3014', userUsername: 'W'.repeat(50), reason: LONG_TEXT })

  const steps = JSON.stringify(ladderSteps)
  const { ladder } = await send('POST', '/api/moderation/ladders', { name: 'Chat', windowDays: '30', steps })
  const spam = {
    name: 'Spamming',
    publicReason: 'Spam',
    defaultSeverity: 'low',
    ladderId: ladder.id,
  }
  const { template } = await send('POST', '/api/moderation/templates', spam)
  deskIds.ladderMute = await moderate({ userId: '7002', templateId: template.id })
  const shortBan = { userId: '7003', reason: 'Exploiting', severity: 'medium', durationSeconds: String(DAY) }
  deskIds.shortBan = await moderate({ action: 'ban', ...shortBan })
}

/** A member with API keys, who has changed cases also with one of them, and more than cases. */
export async function createKeyManager(context: ScreenContext, send: Send): Promise<void> {
  const { server } = context
  const deskOwner = getDeskOwner(context)
  const session = await server.createMember(deskOwner, KEY_MANAGER, [
    'moderation.view',
    'moderation.note',
    'moderation.link',
    'api_keys.manage',
  ])
  const createKey = async (name: string): Promise<string> =>
    (await send('POST', '/portal/api/api-keys', { name, permissions: 'moderation.note' }, session)).secret
  const key = await createKey('Bot of the raid')
  await createKey('W'.repeat(60))
  const note = { action: 'note', userId: '5101', reason: 'Has taken part in the raid' }
  await send('POST', '/api/moderation', note, session)
  const { status, body } = await server.requestWithKey(key, '/api/moderation', {
    workspaceId: deskOwner.workspaceId,
    ...note,
  })
  if (status !== 200) throw new Error(`the key recorded no note: ${JSON.stringify(body)}`)
  await send('POST', '/portal/api/pinned-notes', { userId: '5101', text: 'Let them play.' }, session)
  const link = { userId: '5101', linkedUserId: '5102', confidence: 'low', reason: 'Same clan' }
  await send('POST', '/api/moderation/links', link, session)
}
