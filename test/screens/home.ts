import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const HOUR = 3_600_000
const USERNAME = 'hazel'
/** Ids of the workspaces of these states, by name. */
const workspaceIds = new Map<string, string>()

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

/** A busy workspace: bans, events, a quota that is nearly used up, an endpoint that is switched off. */
async function fillWorkspace(
  { server, owner }: ScreenContext,
  workspaceId: string,
  session: string,
): Promise<void> {
  const postInWorkspace = (path: string, body: object) =>
    server.requestOk('POST', path, { session, body: { workspaceId, ...body } })
  for (const [index, action] of ['ban', 'ban', 'ban', 'mute', 'warn', 'note'].entries()) {
    await postInWorkspace('/api/moderation', { action, userId: `26${index}`, reason: 'Exploiting' })
  }
  const events = [
    { title: 'Cadet training', eventType: 'training', scheduledFor: hoursFromNow(-0.25), published: 'true' },
    { title: 'Night shift', eventType: 'shift', scheduledFor: hoursFromNow(5), published: 'true' },
    { title: 'Staff meeting about a title that is longer than most', scheduledFor: hoursFromNow(30) },
  ]
  for (const event of events) await postInWorkspace('/api/events', event)
  await postInWorkspace('/portal/api/endpoint-controls', {
    endpoint: 'departments',
    mode: 'read_only',
    message: 'We are moving departments around until Sunday.',
  })
  await server.requestOk('POST', '/admin/api/quotas', {
    session: owner.session,
    body: { workspaceId, monthlyQuota: '20' },
  })
}

/** Creates both workspaces with an owner of their own. */
async function prepare(context: ScreenContext): Promise<void> {
  const { server } = context
  await server.createAccount(USERNAME)
  const session = await server.session(USERNAME)
  for (const groupName of ['Brand new', 'In full swing']) {
    const { body } = await server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
    workspaceIds.set(groupName, body.workspace.id)
  }
  await fillWorkspace(context, workspaceIds.get('In full swing') ?? '', session)
}

const as = ({ server }: ScreenContext) => server.session(USERNAME)

export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    { name: 'home-new', path: () => `/w/${workspaceIds.get('Brand new')}`, heading: 'Brand new', as },
    { name: 'home', path: () => `/w/${workspaceIds.get('In full swing')}`, heading: 'In full swing', as },
  ],
}
