import type { Instance, RequestOptions } from '../../support/instance.ts'
import { type Fields, openModerationFixture } from './fixture.ts'

export const CHAT_STEPS = [
  { count: '1', action: 'warn', durationSeconds: null, decayDays: '10' },
  { count: '2', action: 'mute', durationSeconds: '3600', decayDays: null },
  { count: '4', action: 'ban', durationSeconds: null, decayDays: null },
]

/** A workspace with a ladder and a template that uses it. */
export async function openLadders(instance: Instance) {
  const fixture = await openModerationFixture(instance)
  const send = (path: string, body: Fields, options: object = {}) =>
    instance.request('POST', `/api/moderation/${path}?workspaceId=${fixture.id}`, {
      key: fixture.key,
      body,
      ...options,
    })
  const read = (path: string, query: Record<string, string> = {}, options: RequestOptions = {}) =>
    instance.request(
      'GET',
      `/api/moderation/${path}?${new URLSearchParams({ workspaceId: fixture.id, ...query })}`,
      'session' in options ? options : { key: fixture.key, ...options },
    )
  async function sendOk(path: string, body: Fields, options: object = {}) {
    const response = await send(path, body, options)
    if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${response.text}`)
    return response.body
  }
  const { ladder } = await sendOk('ladders', {
    name: 'Chat',
    windowDays: '30',
    steps: JSON.stringify(CHAT_STEPS),
  })
  const { template } = await sendOk('templates', {
    name: 'Spamming',
    publicReason: 'You sent the same message many times.',
    defaultSeverity: 'low',
    ladderId: ladder.id,
  })
  const choose = (userId: string, fields: Fields = {}) =>
    fixture.actOk({ userId, templateId: template.id, ...fields })
  const preview = async (userId: string, templateId: string = template.id) =>
    (await read('preview', { userId, templateId })).body.preview
  const readAudit = async () =>
    (
      await instance.request('GET', `/portal/api/audit?workspaceId=${fixture.id}`, {
        session: fixture.ownerSession,
      })
    ).body.entries
  return { ...fixture, send, read, sendOk, ladder, template, choose, preview, readAudit }
}
