import type { Permission } from '@reeve/core'
import { evening } from '../support/drawing.ts'
import { dataUrl } from '../support/images.ts'
import type { Instance } from '../support/instance.ts'
import { calendar } from './calendar.ts'
import { deeds } from './deeds.ts'

/** The evening on which the pictures are taken. */
const TONIGHT = '2026-11-20T21:40:00Z'

const moderator: readonly Permission[] = [
  'moderation.view',
  'moderation.note',
  'moderation.warn',
  'moderation.mute',
  'moderation.kick',
  'departments.view',
  'events.view',
  'roles.view',
  'members.view',
]
const senior: readonly Permission[] = [...moderator, 'moderation.ban', 'moderation.unban', 'moderation.edit']
const lead: readonly Permission[] = [
  ...senior,
  'moderation.revoke',
  'events.manage',
  'events.publish',
  'departments.manage',
  'members.manage',
  'roles.manage',
  'endpoint_controls.view',
  'usage.view',
  'audit.view',
  'workspace.view',
]

const roles = [
  { name: 'Lead', color: '#2f7de1', rank: '100', permissions: lead },
  { name: 'Senior moderator', color: '#1f9c93', rank: '50', permissions: senior },
  { name: 'Moderator', color: '#3f9b4f', rank: '20', permissions: moderator },
  {
    name: 'Trainer',
    color: '#e07b21',
    rank: '20',
    permissions: ['events.view', 'events.manage', 'departments.view', 'members.view'],
  },
] as const

const people: readonly (readonly [string, ...string[]])[] = [
  ['mira', 'Lead'],
  ['juniper', 'Senior moderator'],
  ['sena', 'Senior moderator', 'Trainer'],
  ['ash', 'Moderator'],
  ['ada', 'Moderator', 'Trainer'],
  ['tomas', 'Moderator'],
  ['ines', 'Trainer'],
]

/** What the guide's pictures are of: a community that has been at it for some months. */
export async function tellStory(instance: Instance) {
  const { clock } = instance
  const go = (moment: string) => clock.advance(new Date(moment).getTime() - clock.now())
  go('2026-09-01T18:00:00Z')
  const accounts = new Map([['robin', await instance.account('robin', true)]])
  const sessionOf = (name: string) => instance.session(accounts.get(name) ?? '')
  let workspaceId = ''
  const send = async (name: string, path: string, body: object) => {
    const session = await sessionOf(name)
    const given = workspaceId === '' ? body : { workspaceId, ...body }
    const answer = await instance.call('POST', path, { session, body: given })
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`)
    return answer.body
  }

  workspaceId = (await send('robin', '/api/workspaces', { groupName: 'Night Owls' })).workspace.id
  const roleIds = new Map<string, string>()
  for (const { permissions, ...role } of roles) {
    const body = { ...role, permissions: JSON.stringify(permissions) }
    roleIds.set(role.name, (await send('robin', '/portal/api/roles', body)).role.id)
  }
  for (const [username, ...held] of people) {
    accounts.set(username, await instance.account(username))
    const ids = held.map((name) => roleIds.get(name)).join(',')
    await send('robin', '/portal/api/members', { username, roleIds: ids })
  }
  await send('robin', '/api/departments', { name: 'Trainers', color: '#e07b21' })
  const key = { name: 'Main game server', permissions: 'moderation.view,moderation.kick' }
  const { secret } = await send('robin', '/portal/api/api-keys', key)

  const cases = new Map<string, string>()
  for (const { day, hour, isDraft, picture, ...event } of calendar) {
    const body = { scheduledFor: `2026-11-${day}T${hour}:00:00Z`, published: String(!isDraft), ...event }
    const image = picture ? { imageDataUrl: dataUrl(evening(960, 540)) } : {}
    await send('mira', '/api/events', { ...body, ...image })
  }
  for (const { at, by, as, of, ...deed } of deeds) {
    go(at)
    const id = of === undefined ? {} : { id: cases.get(of) }
    const { record } = await send(by, '/api/moderation', { ...id, ...deed })
    if (as !== undefined) cases.set(as, record.id)
  }
  go('2026-11-20T21:20:00Z')
  for (let player = 100; player < 700; player++) {
    await instance.call('GET', `/api/moderation?workspaceId=${workspaceId}&banList=true&userId=${player}`, {
      key: secret,
    })
  }
  await instance.flush()
  await send('robin', '/admin/api/quotas', { monthlyQuota: '2000' })
  go(TONIGHT)
  return { workspaceId, sessionOf, idOf: (name: string) => cases.get(name) ?? '' }
}

export type Story = Awaited<ReturnType<typeof tellStory>>
