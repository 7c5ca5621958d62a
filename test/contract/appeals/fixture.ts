import type { Instance } from '../../support/instance.ts'

type Fields = Readonly<Record<string, unknown>>

export const PAGE = '/appeal'
export const DAY = 86_400_000

/** A workspace with a game's key, someone who bans, someone who decides, and someone who only views appeals. */
export async function openAppeals(instance: Instance) {
  const { id: workspaceId, ownerSession, key } = await instance.workspace()
  const game = await instance.key(workspaceId, ['appeals.submit'])
  const mod = await instance.member(workspaceId, [
    'moderation.view',
    'moderation.ban',
    'appeals.decide',
    'appeals.view',
  ])
  const judge = await instance.member(workspaceId, ['appeals.view', 'appeals.decide'])
  const viewer = await instance.member(workspaceId, ['appeals.view'])
  const act = (session: string, fields: Fields) =>
    instance.request('POST', '/api/moderation', { session, body: { workspaceId, ...fields } })
  /** Bans a player as the moderator. @returns the record */
  const ban = async (fields: Fields = {}) =>
    (await act(mod.session, { action: 'ban', userId: '261', reason: 'Exploiting', ...fields })).body.record
  const send = (body: Fields, sender = game) =>
    instance.request('POST', '/api/appeals', { key: sender, body: { workspaceId, ...body } })
  const read = (code: string, reader = game) =>
    instance.request('GET', `/api/appeals?workspaceId=${workspaceId}&code=${encodeURIComponent(code)}`, {
      key: reader,
    })
  const submit = (code: string, fields: Fields = {}) =>
    send({ code, message: 'It was my brother.', ...fields })
  const staff = (verb: string, session: string, body: Fields, headers: Record<string, string> = {}) =>
    instance.request('POST', `/portal/api/appeals/${verb}`, {
      session,
      headers,
      body: { workspaceId, ...body },
    })
  const show = async (id: string, session = judge.session) =>
    (
      await instance.request('GET', `/portal/api/appeals/appeal?workspaceId=${workspaceId}&id=${id}`, {
        session,
      })
    ).body
  const list = async (query = '', session = viewer.session) =>
    (await instance.request('GET', `/portal/api/appeals?workspaceId=${workspaceId}${query}`, { session }))
      .body.appeals
  const configure = (body: Fields) =>
    instance.request('PATCH', '/portal/api/appeals/settings', {
      session: ownerSession,
      body: { workspaceId, ...body },
    })
  const isBanned = async (userId = '261') =>
    (
      await instance.request(
        'GET',
        `/api/moderation?workspaceId=${workspaceId}&banList=true&userId=${userId}`,
        { key },
      )
    ).body.bans.length === 1
  return {
    workspaceId,
    ownerSession,
    key,
    game,
    mod,
    judge,
    viewer,
    act,
    ban,
    send,
    read,
    submit,
    staff,
    show,
    list,
    configure,
    isBanned,
  }
}

/** Sends a form of the page as a browser does. @param cookie that of an earlier response */
export const sendForm = (
  instance: Instance,
  fields: Readonly<Record<string, string>>,
  { cookie, from, headers = {} }: { cookie?: string; from?: string; headers?: Record<string, string> } = {},
) =>
  instance.request('POST', PAGE, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...(cookie && { cookie }),
      ...headers,
    },
    ...(from && { from }),
  })

/** The cookie that a response sets, as a request sends it back. */
export const readCookie = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''
