import { expect } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { runErasures } from '@reeve/moderation'
import type { Instance } from '../../support/instance.ts'
import { openFeedFixture } from '../changes/fixture.ts'
import type { Fields } from './fixture.ts'

const path = '/api/moderation/erasures'

/** A new workspace, and the requests that tests of erasures send. */
export async function openErasureFixture(instance: Instance) {
  const fixture = await openFeedFixture(instance)
  const { id: workspaceId, key, ownerSession: session } = fixture

  const request = (userId: string, mode: string, fields: Fields = {}, options: Fields = { key }) =>
    instance.request('POST', path, {
      ...options,
      body: { workspaceId, userId, confirmUserId: userId, mode, reason: 'Requested by e-mail', ...fields },
    })
  const get = async (suffix: string, query: Record<string, string> = {}) =>
    (
      await instance.request('GET', `${path}${suffix}?${new URLSearchParams({ workspaceId, ...query })}`, {
        key,
      })
    ).body
  /** Runs the job until it is complete, or until it is aborted. */
  const run = (signal = new AbortController().signal) => {
    const { db, ports } = instance
    return runErasures({ db, ports, evidence: instance.context.evidence, signal })
  }
  /** Erases a player. @returns the result */
  async function erase(userId: string, mode: string) {
    const requested = await request(userId, mode)
    if (requested.status !== 200) throw new Error(requested.text)
    expect(requested.body.erasure.state).toBe('queued')
    await run()
    const { erasure } = await get('', { id: requested.body.erasure.id })
    expect(erasure.state).toBe('succeeded')
    return erasure
  }
  /** Sends a write of the owner that must succeed. */
  async function post(
    route: string,
    body: Fields,
    options: { key?: string; session?: string } = { session },
  ) {
    const response = await instance.request('POST', route, { ...options, body: { workspaceId, ...body } })
    if (response.status !== 200) throw new Error(`${route}: ${response.text}`)
    return response.body
  }
  const isBanned = async (userId: string) => (await fixture.listActiveBans(userId)).length === 1
  const faults = async () => (await verifyAudit(instance.db.read, instance.ports)).faults

  return { ...fixture, workspaceId, session, request, getErasure: get, run, erase, post, isBanned, faults }
}

export type ErasureFixture = Awaited<ReturnType<typeof openErasureFixture>>
