import { APPEAL_CODES } from '../../support/appeal-codes.ts'
import { type Instance, PUBLIC_URL } from '../../support/instance.ts'
import type { Workspace } from './fixture.ts'

type ResponsesByPath = Record<string, unknown>

/**
 * The responses of every read of a workspace as its owner: each list with all of its pages and filters, and each object by its
 * ID. The workspace's own ID is removed, so that workspaces with the same content are equal.
 */
export async function readEverything(
  instance: Instance,
  id: string,
  { ownerSession: session }: Workspace,
): Promise<ResponsesByPath> {
  const responses: ResponsesByPath = {}
  const read = async (path: string, query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ workspaceId: id, ...query })
    const { status, body, text } = await instance.request('GET', `${path}?${search}`, { session })
    const comparable = text.replaceAll(id, 'here').replaceAll(APPEAL_CODES, 'code')
    responses[`${path} ${new URLSearchParams(query)}`] = JSON.parse(comparable)
    if (status !== 200) throw new Error(`${path}: ${text}`)
    return body
  }
  const readAllPages = async (path: string, listField: string, query: Record<string, string> = {}) => {
    const rows: { id: string; accountId?: string; imageUrl?: string | null }[] = []
    let cursor: string | null = null
    do {
      const page = await read(path, { ...query, limit: '3', ...(cursor && { cursor }) })
      rows.push(...page[listField])
      cursor = page.nextCursor
    } while (cursor)
    return rows
  }

  const records = await readAllPages('/api/moderation', 'records')
  for (const record of records) await readAllPages('/api/moderation', 'versions', { id: record.id })
  const recordIds = records.map((record) => record.id).join()
  await read('/portal/api/case-work', { recordIds })
  // Claims are leases of minutes, which archives do not contain.
  for (const [path, response] of Object.entries(responses))
    if (path.startsWith('/portal/api/case-work')) responses[path] = { ...(response as object), claims: [] }
  await readAllPages('/api/moderation/links', 'links')
  await readAllPages('/api/moderation/templates', 'templates')
  for (const userId of ['1', '3']) await read('/portal/api/players', { userId })
  await readAllPages('/api/moderation', 'bans', { banList: 'true' })
  await read('/api/moderation', { banList: 'true', userId: '1,2,3,4,5,6,7' })
  await readAllPages('/api/moderation', 'history', { banHistory: 'true' })
  for (const status of ['active', 'expired', 'revoked', 'superseded']) {
    await readAllPages('/api/moderation', 'records', { status })
  }
  for (const deleted of ['false', 'true']) {
    for (const { id: entry } of await readAllPages('/api/departments', 'departments', { deleted })) {
      await read('/api/departments', { id: entry, deleted })
    }
  }
  await read('/portal/api/departments')
  for (const q of ['1', '3', 'ü']) await readAllPages('/portal/api/players', 'players', { q })
  await read('/portal/api/reasons')
  for (const event of await readAllPages('/api/events', 'events')) {
    await read('/api/events', { id: event.id })
    if (!event.imageUrl?.includes('/media/')) continue
    const image = await instance.request('GET', event.imageUrl.replace(PUBLIC_URL, ''), { session })
    if (image.status !== 200) throw new Error(`${event.imageUrl}: ${image.text}`)
    responses[event.imageUrl] = [image.headers.get('content-type'), image.text]
  }
  await readAllPages('/api/events', 'events', { published: 'false' })
  await read('/api/_workspace-permissions')
  await read('/portal/api/roles')
  for (const member of await readAllPages('/portal/api/members', 'members')) {
    const { accountId = '' } = member
    await read('/portal/api/members', { accountId })
    await read('/portal/api/members/players', { accountId })
  }
  const { body } = await instance.request('GET', '/api/endpoint-controls', { session })
  responses.controls = body.controls
    .filter((entry: { workspaceId: string }) => entry.workspaceId === id)
    .map((entry: object) => ({ ...entry, workspaceId: 'here' }))
  return responses
}
