import type { Permission, RoleLimits } from '@reeve/core'
import type { Instance, RequestOptions } from '../../support/instance.ts'
import { type Fields, openModerationFixture } from './fixture.ts'

export const HOUR = 3600
export const DAY = 24 * HOUR

const MODERATOR: readonly Permission[] = [
  'moderation.view',
  'moderation.note',
  'moderation.warn',
  'moderation.mute',
  'moderation.ban',
  'moderation.unban',
  'moderation.edit',
  'moderation.revoke',
]

/** A workspace, and its members with limits. */
export async function openLimitsFixture(instance: Instance) {
  const fixture = await openModerationFixture(instance)
  const staff = async (limits: Partial<RoleLimits>, more: readonly Permission[] = [], rank = 10) => {
    const member = await instance.member(fixture.id, [...MODERATOR, ...more], rank, limits)
    const session = { session: member.session }
    const act = (body: Fields) =>
      instance.request('POST', fixture.toPath({}), {
        ...session,
        body: { ...('userId' in body && { reason: 'x' }), ...body },
      })
    return { ...member, act }
  }
  const approvals = async (query: Record<string, string> = {}, options: RequestOptions = {}) =>
    (
      await instance.request(
        'GET',
        `/api/moderation/approvals?${new URLSearchParams({ workspaceId: fixture.id, ...query })}`,
        { key: fixture.key, ...options },
      )
    ).body
  const decide = (id: string, body: Fields, options: RequestOptions = { session: fixture.ownerSession }) =>
    instance.request('POST', '/api/moderation/approvals', {
      ...options,
      body: { workspaceId: fixture.id, id, ...body },
    })
  const portal = (method: string, path: string, body: Fields, session = fixture.ownerSession) =>
    instance.request(method, `/portal/api/${path}`, { session, body: { workspaceId: fixture.id, ...body } })
  return { ...fixture, staff, approvals, decide, portal }
}

export type LimitsFixture = Awaited<ReturnType<typeof openLimitsFixture>>

/** The status, reason and limit of a response. */
export const summarize = ({ status, body }: { status: number; body: Fields }) =>
  status === 200 ? 200 : [status, body.reason ?? body.code, (body.limit as Fields | undefined)?.name ?? null]
