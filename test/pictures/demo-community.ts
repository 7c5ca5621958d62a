import type { Permission } from '@reeve/core'
import { dataUrl } from '../support/images.ts'
import type { Instance } from '../support/instance.ts'
import { drawEvening } from '../support/png.ts'
import { plannedEvents } from './calendar.ts'
import { moderationActions } from './moderation-actions.ts'

/** The time at which the pictures are taken. */
const CURRENT_TIME = '2026-11-20T21:40:00Z'

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

const members: readonly (readonly [string, ...string[]])[] = [
  ['mira', 'Lead'],
  ['juniper', 'Senior moderator'],
  ['sena', 'Senior moderator', 'Trainer'],
  ['ash', 'Moderator'],
  ['ada', 'Moderator', 'Trainer'],
  ['tomas', 'Moderator'],
  ['ines', 'Trainer'],
]

/** Creates the community in the guide's pictures, with some months of history. */
export async function createDemoCommunity(instance: Instance) {
  const { clock } = instance
  const advanceTo = (time: string) => clock.advance(new Date(time).getTime() - clock.now())
  advanceTo('2026-09-01T18:00:00Z')
  const accounts = new Map([['robin', await instance.account('robin', true)]])
  const createSession = (name: string) => instance.session(accounts.get(name) ?? '')
  let workspaceId = ''
  const requestOk = async (name: string, path: string, body: object) => {
    const session = await createSession(name)
    const fields = workspaceId === '' ? body : { workspaceId, ...body }
    const response = await instance.request('POST', path, { session, body: fields })
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${response.text}`)
    return response.body
  }

  workspaceId = (await requestOk('robin', '/api/workspaces', { groupName: 'Night Owls' })).workspace.id
  const roleIds = new Map<string, string>()
  for (const { permissions, ...role } of roles) {
    const body = { ...role, permissions: JSON.stringify(permissions) }
    roleIds.set(role.name, (await requestOk('robin', '/portal/api/roles', body)).role.id)
  }
  for (const [username, ...roleNames] of members) {
    accounts.set(username, await instance.account(username))
    const ids = roleNames.map((name) => roleIds.get(name)).join(',')
    await requestOk('robin', '/portal/api/members', { username, roleIds: ids })
  }
  await requestOk('robin', '/api/departments', { name: 'Trainers', color: '#e07b21' })
  const key = { name: 'Main game server', permissions: 'moderation.view,moderation.kick' }
  const { secret } = await requestOk('robin', '/portal/api/api-keys', key)

  const caseIds = new Map<string, string>()
  for (const { day, hour, isDraft, hasImage, ...event } of plannedEvents) {
    const body = { scheduledFor: `2026-11-${day}T${hour}:00:00Z`, published: String(!isDraft), ...event }
    const image = hasImage ? { imageDataUrl: dataUrl(drawEvening(960, 540)) } : {}
    await requestOk('mira', '/api/events', { ...body, ...image })
  }
  for (const { time, username, caseName, caseRef, ...fields } of moderationActions) {
    advanceTo(time)
    const id = caseRef === undefined ? {} : { id: caseIds.get(caseRef) }
    const { record } = await requestOk(username, '/api/moderation', { ...id, ...fields })
    if (caseName !== undefined) caseIds.set(caseName, record.id)
  }
  advanceTo('2026-11-20T21:20:00Z')
  for (let player = 100; player < 700; player++) {
    await instance.request(
      'GET',
      `/api/moderation?workspaceId=${workspaceId}&banList=true&userId=${player}`,
      {
        key: secret,
      },
    )
  }
  await instance.flush()
  await requestOk('robin', '/admin/api/quotas', { monthlyQuota: '2000' })
  advanceTo(CURRENT_TIME)
  return { workspaceId, createSession, findCaseId: (name: string) => caseIds.get(name) ?? '' }
}

export type DemoCommunity = Awaited<ReturnType<typeof createDemoCommunity>>
