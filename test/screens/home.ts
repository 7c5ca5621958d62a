import type { Scene, Screens } from '../support/scene.ts'

const HOUR = 3_600_000
const USERNAME = 'hazel'
/** The workspaces of these looks, by what they are called, once they are made. */
const made = new Map<string, string>()

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

/** A workspace with much going on: bans, events, a quota that is nearly used up, an endpoint switched off. */
async function busy({ place, owner }: Scene, workspaceId: string, session: string): Promise<void> {
  const make = (path: string, body: object) =>
    place.must('POST', path, { session, body: { workspaceId, ...body } })
  for (const [index, action] of ['ban', 'ban', 'ban', 'mute', 'warn', 'note'].entries()) {
    await make('/api/moderation', { action, userId: `26${index}`, reason: 'Exploiting' })
  }
  const events = [
    { title: 'Cadet training', eventType: 'training', scheduledFor: inHours(-0.25), published: 'true' },
    { title: 'Night shift', eventType: 'shift', scheduledFor: inHours(5), published: 'true' },
    { title: 'Staff meeting about a title that is longer than most', scheduledFor: inHours(30) },
  ]
  for (const event of events) await make('/api/events', event)
  await make('/portal/api/endpoint-controls', {
    endpoint: 'departments',
    mode: 'read_only',
    message: 'We are moving departments around until Sunday.',
  })
  await place.must('POST', '/admin/api/quotas', {
    session: owner.session,
    body: { workspaceId, monthlyQuota: '20' },
  })
}

/** Makes both workspaces of the looks, of an account of their own. */
async function settle(scene: Scene): Promise<void> {
  const { place } = scene
  await place.account(USERNAME)
  const session = await place.session(USERNAME)
  for (const groupName of ['Brand new', 'In full swing']) {
    const { body } = await place.must('POST', '/api/workspaces', { session, body: { groupName } })
    made.set(groupName, body.workspace.id)
  }
  await busy(scene, made.get('In full swing') ?? '', session)
}

const as = ({ place }: Scene) => place.session(USERNAME)

/** How a workspace stands. */
export const screens: Screens = {
  prepare: settle,
  looks: [
    { name: 'home-new', at: () => `/w/${made.get('Brand new')}`, heading: 'Brand new', as },
    { name: 'home', at: () => `/w/${made.get('In full swing')}`, heading: 'In full swing', as },
  ],
}
