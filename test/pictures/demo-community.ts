import type { Permission } from '@reeve/core'
import { dataUrl } from '../support/images.ts'
import type { Instance } from '../support/instance.ts'
import { drawEvening } from '../support/png.ts'
import { plannedEvents } from './calendar.ts'
import { type Case, claimAppeal, createTemplates, type Desk, deskSteps, type Send } from './desk.ts'
import { earlierWeeks } from './earlier-weeks.ts'
import { type ModerationAction, moderationActions } from './moderation-actions.ts'

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
const senior: readonly Permission[] = [
  ...moderator,
  'moderation.ban',
  'moderation.unban',
  'moderation.edit',
  'moderation.evidence',
]
const lead: readonly Permission[] = [
  ...senior,
  'moderation.revoke',
  'moderation.approve',
  'moderation.bulk',
  'moderation.link',
  'moderation.insights',
  'appeals.view',
  'appeals.decide',
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
  const send: Send = async (name, method, path, body) => {
    const session = await createSession(name)
    const fields = workspaceId === '' ? body : { workspaceId, ...body }
    const response = await (method === 'GET'
      ? instance.request(method, `${path}?${new URLSearchParams(fields as Record<string, string>)}`, {
          session,
        })
      : instance.request(method, path, { session, body: fields }))
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${response.text}`)
    return response.body
  }
  const requestOk = (name: string, path: string, body: object) => send(name, 'POST', path, body)

  workspaceId = (await requestOk('robin', '/api/workspaces', { groupName: 'Night Owls' })).workspace.id
  const roleIds = new Map<string, string>()
  for (const { permissions, ...role } of roles) {
    const body = { ...role, permissions: JSON.stringify(permissions) }
    roleIds.set(role.name, (await requestOk('robin', '/portal/api/roles', body)).role.id)
  }
  for (const [username, ...roleNames] of members) {
    accounts.set(username, await instance.account(username))
    const ids = roleNames.map((name) => roleIds.get(name)).join(',')
    const { invitation } = await requestOk('robin', '/portal/api/invitations', { username, roleIds: ids })
    const accept = { session: await createSession(username), body: { id: invitation.id } }
    await instance.request('POST', '/portal/api/invitation/accept', accept)
  }
  await requestOk('robin', '/api/departments', { name: 'Trainers', color: '#e07b21' })
  const key = { name: 'Main game server', permissions: 'moderation.view,moderation.kick,moderation.note' }
  const { secret } = await requestOk('robin', '/portal/api/api-keys', key)

  const cases = new Map<string, Case>()
  const findCase = (name: string): Case => {
    const found = cases.get(name)
    if (!found) throw new Error(`there is no case ${name} yet`)
    return found
  }
  const templateIds = await createTemplates(send)
  for (const { day, hour, isDraft, hasImage, ...event } of plannedEvents) {
    const body = { scheduledFor: `2026-11-${day}T${hour}:00:00Z`, published: String(!isDraft), ...event }
    const image = hasImage ? { imageDataUrl: dataUrl(drawEvening(960, 540)) } : {}
    await requestOk('mira', '/api/events', { ...body, ...image })
  }
  const moderate = async ({
    time: _,
    username,
    caseName,
    caseRef,
    template,
    ...fields
  }: ModerationAction) => {
    const { record } = await requestOk(username, '/api/moderation', {
      ...(caseRef !== undefined && { id: findCase(caseRef).id }),
      ...(template !== undefined && { templateId: templateIds.get(template) }),
      ...fields,
    })
    if (caseName !== undefined) cases.set(caseName, record)
  }
  const desk: Desk = { instance, workspaceId, send, key: secret, createSession, findCase }
  const steps = [
    ...[...earlierWeeks, ...moderationActions].map((action) => ({
      time: action.time,
      run: () => moderate(action),
    })),
    ...deskSteps.map(({ time, run }) => ({ time, run: () => run(desk) })),
  ]
  for (const { time, run } of steps.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time))) {
    advanceTo(time)
    await run()
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
  await claimAppeal(desk)
  return { workspaceId, createSession, findCase }
}

export type DemoCommunity = Awaited<ReturnType<typeof createDemoCommunity>>
