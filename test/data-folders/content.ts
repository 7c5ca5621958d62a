import { dataUrl, imageBytes } from '../support/images.ts'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, startServer } from '../support/program.ts'
import { type JobBody, waitForJob } from '../support/workspace-jobs.ts'

/** How callers of a data folder's instance authenticate. */
export interface Access {
  readonly workspaceId: string
  readonly apiKey: string
}

/** A response as the fixture keeps it. */
export interface SavedRead {
  readonly as: 'key' | 'session'
  readonly path: string
  readonly body: unknown
}

/** What a write returns: one of them, by the resource. */
type Written = Readonly<Record<'record' | 'department', { readonly id: string }>>

/** Responses and audit entries contain it. */
const PUBLIC_URL = 'https://reeve.example.com'

/** Starts the server of a data folder. */
export const startFolder = (dataDir: string): Promise<RunningServer> =>
  startServer({ dataDir, env: { REEVE_PUBLIC_URL: PUBLIC_URL } })

/** Signs in the owner. @returns the session cookie */
export async function signIn({ url }: RunningServer): Promise<string> {
  const response = await fetch(`${url}/portal/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL },
    body: JSON.stringify({ username: 'robin', password: PASSWORD }),
  })
  if (response.status !== 200)
    throw new Error(`signing in returned ${response.status}: ${await response.text()}`)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

/** Creates one of everything that a workspace keeps: changed, lifted, redacted and deleted ones included. */
export async function createContent(server: RunningServer, { workspaceId, apiKey }: Access): Promise<void> {
  const session = await signIn(server)
  const write = async (path: string, fields: object, headers: Record<string, string>): Promise<Written> => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: PUBLIC_URL, ...headers },
      body: JSON.stringify({ workspaceId, ...fields }),
    })
    if (response.status !== 200)
      throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as Written
  }
  const asKey = { authorization: `Bearer ${apiKey}` }
  const asOwner = { cookie: session }
  const moderate = async (fields: object, headers: Record<string, string> = asKey) =>
    (await write('/api/moderation', fields, headers)).record

  const storm = { userId: '261', userUsername: 'StormRider' }
  await moderate({ ...storm, action: 'warn', reason: 'Spawn camping', severity: 'low' })
  const ban = await moderate({
    ...storm,
    action: 'ban',
    reason: 'Aimbot',
    evidence: ['https://clips.example.com/1'],
  })
  await moderate({ id: ban.id, action: 'comment', value: 'Two clips show it. “Ça suffit.” 🦉' }, asOwner)
  await moderate({ id: ban.id, action: 'edit', reason: 'Aimbot, seen by three people' }, asOwner)
  const other = { userId: '77', userUsername: 'Íris' }
  const lifted = await moderate({ ...other, action: 'ban', reason: 'Mistaken identity' })
  await moderate({ id: lifted.id, action: 'unban', reason: 'It was somebody else' }, asOwner)
  await moderate({ ...other, action: 'mute', reason: 'Shouting' })
  const note = await moderate({ userId: '900719925474099', action: 'note', reason: 'Lives in Exampletown' })
  await moderate({ id: note.id, action: 'redact', reason: 'The player asked for it' }, asOwner)

  const department = (await write('/api/departments', { name: 'Builders', color: '#2f7de1' }, asOwner))
    .department
  const former = (await write('/api/departments', { name: 'Former' }, asOwner)).department
  await write('/api/departments', { action: 'delete', id: former.id }, asOwner)
  await write(
    '/api/departments',
    { action: 'update', id: department.id, description: 'They build the harbour.' },
    asOwner,
  )
  await write(
    '/portal/api/endpoint-controls',
    { endpoint: 'events', mode: 'read_only', message: 'Calendar is closed' },
    asOwner,
  )
  await write('/portal/api/endpoint-controls', { endpoint: 'events', mode: 'on' }, asOwner)
  await write(
    '/api/events',
    {
      title: 'Lantern night',
      scheduledFor: '2027-01-21T19:00:00Z',
      published: 'true',
      imageDataUrl: dataUrl(imageBytes('png')),
    },
    asOwner,
  )
  await write(
    '/api/events',
    { title: 'Cadet training', eventType: 'training', scheduledFor: '2027-01-03T19:00:00Z' },
    asOwner,
  )
  await archiveAndRestore(server, { workspaceId, apiKey })
}

/** Archives the workspace, and makes it active again once the archive is complete. */
async function archiveAndRestore(server: RunningServer, { workspaceId, apiKey }: Access): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const change = async (action: string) => {
    const body = JSON.stringify({ id: workspaceId, action })
    const response = await fetch(`${server.url}/api/workspaces`, { method: 'POST', headers, body })
    if (response.status !== 200)
      throw new Error(`${action} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { job?: JobBody }
  }
  await waitForJob(await change('archive'), async () => {
    const response = await fetch(`${server.url}/api/workspaces?id=${workspaceId}`, { headers })
    return [((await response.json()) as { job: JobBody | null }).job]
  })
  await change('restore')
}

/** The reads whose responses every later version must repeat. */
const reads: readonly Pick<SavedRead, 'as' | 'path'>[] = [
  { as: 'key', path: '/api/moderation' },
  { as: 'key', path: '/api/moderation?banList=true' },
  { as: 'key', path: '/api/moderation?banList=true&userId=261' },
  { as: 'key', path: '/api/moderation?banHistory=true&userId=77' },
  { as: 'key', path: '/api/departments' },
  { as: 'key', path: '/api/events' },
  { as: 'session', path: '/portal/api/endpoint-controls' },
  { as: 'key', path: '/api/_workspace-permissions' },
  { as: 'session', path: '/api/workspaces?archives=true&id={workspace}' },
  { as: 'session', path: '/portal/api/audit' },
  { as: 'session', path: '/portal/api/members' },
]

/** Reads everything that was created. */
export async function readContent(
  server: RunningServer,
  { workspaceId, apiKey }: Access,
): Promise<SavedRead[]> {
  const session = await signIn(server)
  const read = async ({ as, path }: Pick<SavedRead, 'as' | 'path'>): Promise<SavedRead> => {
    const separator = path.includes('?') ? '&' : '?'
    const url = path.includes('{workspace}')
      ? path.replace('{workspace}', workspaceId)
      : `${path}${separator}workspaceId=${workspaceId}`
    const response = await fetch(`${server.url}${url}`, {
      headers: as === 'key' ? { authorization: `Bearer ${apiKey}` } : { cookie: session },
    })
    if (response.status !== 200)
      throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return { as, path, body: await response.json() }
  }
  const saved: SavedRead[] = []
  for (const one of reads) saved.push(await read(one))
  return saved
}
