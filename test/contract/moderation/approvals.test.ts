import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '@reeve/core'
import { requestApproval } from '../../support/approvals.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, HOUR, type LimitsFixture, openLimitsFixture, summarize } from './limits-fixture.ts'

let instance: Instance
let fixture: LimitsFixture
beforeAll(async () => {
  instance = await openInstance()
}, 60_000)
beforeEach(async () => {
  fixture = await openLimitsFixture(instance)
})
afterAll(() => instance.close())

let lastPlayer = 1000
const newPlayer = () => String(++lastPlayer)
const request = (userId = newPlayer()) => requestApproval(instance, fixture.id, userId)
const getBan = async (id: string) => (await fixture.getRecord(id)).record

describe('a ban that needs approval', () => {
  test('is in effect at once as a temporary one, and lasts as requested once another person approves', async () => {
    const { record, approval, member } = await request()
    expect(record).toMatchObject({
      status: 'active',
      durationSeconds: String(DAY),
      expiresAt: fixture.timeFromNow(DAY_MS),
    })
    expect(approval).toMatchObject({
      state: 'pending',
      recordId: record.id,
      durationSeconds: null,
      expiresAt: record.expiresAt,
      earlierExpiresAt: null,
      requestedBy: member.accountId,
      decidedAt: null,
      canDecide: 'false',
    })
    expect(await fixture.listActiveBans(record.userId)).toMatchObject([{ id: record.id }])
    await fixture.ban('temporary', { durationSeconds: '60' })
    /** The players of those bans that say in each list that they wait. */
    const listWaiting = async () => {
      const queries = [{ banList: 'true' }, { banHistory: 'true' }, { severity: 'high' }, {}]
      const lists = await Promise.all(
        queries.map(async (query) => {
          const { bans, history, records } = (await fixture.get(query)).body
          return (bans ?? history ?? records)
            .filter(({ waitsForApproval }: { waitsForApproval: string }) => waitsForApproval === 'true')
            .map(({ userId, waitsForApproval }: Record<string, string>) => [userId, waitsForApproval])
        }),
      )
      return lists
    }
    expect(await listWaiting()).toEqual(Array(4).fill([[record.userId, 'true']]))
    const waitsForApproval = async () => {
      const query = new URLSearchParams({ workspaceId: fixture.id, userId: record.userId })
      const { body } = await instance.request('GET', `/portal/api/players?${query}`, {
        session: fixture.ownerSession,
      })
      return body.players[0].ban.waitsForApproval
    }
    expect(await waitsForApproval()).toBe('true')
    const own = await fixture.decide(approval.id, { action: 'approve' }, { session: member.session })
    expect(summarize(own)).toEqual([403, 'missing_permission', null])
    instance.clock.advance(HOUR_MS)
    const { status, body } = await fixture.decide(approval.id, { action: 'approve', reason: 'Clear' })
    expect([status, body.approval.state, body.approval.decidedBy]).toEqual([200, 'approved', fixture.ownerId])
    expect(await waitsForApproval()).toBe('false')
    expect(await listWaiting()).toEqual(Array(4).fill([]))
    expect(body.record).toMatchObject({
      durationSeconds: null,
      expiresAt: null,
      status: 'active',
      version: '2',
    })
    instance.clock.advance(DAY_MS)
    expect(await fixture.listActiveBans(record.userId)).toHaveLength(1)
    const byKey = { key: fixture.key }
    const again = await fixture.expectRejected(() =>
      fixture.decide(approval.id, { action: 'approve' }, byKey),
    )
    expect([again.status, again.error]).toEqual([409, 'This request is already approved.'])
  })

  test('ends when another person rejects it, with their reason', async () => {
    const { record, approval } = await request()
    const incomplete = await fixture.expectRejected(() => fixture.decide(approval.id, { action: 'reject' }))
    expect([incomplete.status, incomplete.fields]).toEqual([400, ['reason']])
    const { body } = await fixture.decide(approval.id, { action: 'reject', reason: 'Not enough' })
    expect(body.approval.state).toBe('rejected')
    expect(body.record).toMatchObject({
      status: 'revoked',
      revokeReason: 'Not enough',
      revokedBy: fixture.ownerId,
      revokedByPlatformUserId: null,
    })
    expect(await fixture.listActiveBans(record.userId)).toEqual([])
    const other = await request()
    const rejection = { action: 'reject', reason: 'No', actorPlatformUserId: '156' }
    const inGame = await fixture.decide(other.approval.id, rejection, { key: fixture.key })
    expect(inGame.body.record).toMatchObject({
      revokedByPlatformUserId: '156',
      revokedByUsername: expect.any(String),
    })
  })

  test('is decided only as it was read, if the decision says which version that is', async () => {
    const { record, approval } = await request()
    const { id } = approval
    await fixture.actOk({ action: 'edit', id: record.id, reason: 'Other' })
    const withVersion = (version: string) => ({ key: fixture.key, headers: { 'if-match': `"${version}"` } })
    for (const decision of [{ action: 'approve' }, { action: 'reject', reason: 'Not enough' }]) {
      const stale = await fixture.expectRejected(() => fixture.decide(id, decision, withVersion('1')))
      expect([stale.status, stale.code]).toEqual([412, 'version_mismatch'])
    }
    expect((await fixture.decide(id, { action: 'approve' }, withVersion('2'))).status).toBe(200)
  })

  test('expires visibly without a decision, without a job', async () => {
    const { record, approval } = await request()
    instance.clock.advance(DAY_MS)
    expect((await fixture.approvals({ id: approval.id })).approval).toMatchObject({
      state: 'expired',
      canDecide: 'false',
    })
    expect((await fixture.getRecord(record.id)).approval.state).toBe('expired')
    expect((await getBan(record.id)).status).toBe('expired')
    const late = await fixture.expectRejected(() =>
      fixture.decide(approval.id, { action: 'approve' }, { key: fixture.key }),
    )
    expect([late.status, late.error]).toEqual([
      409,
      'This request has expired: nobody decided in time, and the temporary ban has ended.',
    ])
    expect((await fixture.approvals({ state: 'expired' })).approvals[0].id).toBe(approval.id)
  })

  test('lasts as long as the workspace has set, and can only be lifted or decided meanwhile', async () => {
    const other = await openLimitsFixture(instance)
    const set = await other.portal('PATCH', 'workspace', { approvalHours: '2' })
    expect([set.status, set.body.workspace?.approvalHours]).toEqual([200, '2'])
    const { record, approval } = await requestApproval(instance, other.id, newPlayer())
    expect(record.durationSeconds).toBe(String(2 * HOUR))
    for (const body of [
      { action: 'extend', id: record.id, value: '60' },
      { action: 'edit', id: record.id, durationSeconds: 'permanent' },
    ])
      expect(summarize(await other.act(body))).toEqual([409, 'conflict', null])
    await other.actOk({ action: 'unban', id: record.id })
    expect((await other.approvals({ id: approval.id })).approval).toMatchObject({ state: 'superseded' })
    const late = await other.decide(approval.id, { action: 'approve' })
    expect([late.status, (await other.getRecord(record.id)).record.status]).toEqual([409, 'revoked'])
  })

  test('never shortens the ban that it replaces: a rejection restores its end', async () => {
    const userId = newPlayer()
    const earlier = await fixture.ban(userId, { durationSeconds: 10 * DAY })
    instance.clock.advance(DAY_MS)
    const { record, approval } = await request(userId)
    expect([record.expiresAt, approval.earlierExpiresAt]).toEqual([earlier.expiresAt, earlier.expiresAt])
    const { body } = await fixture.decide(approval.id, { action: 'reject', reason: 'Enough' })
    expect(body.record).toMatchObject({ status: 'active', expiresAt: earlier.expiresAt })
    const permanent = await fixture.ban(newPlayer())
    const { act } = await fixture.staff({ permanentBansNeedApproval: true })
    const repeated = await act({ action: 'ban', userId: permanent.userId })
    expect([repeated.status, repeated.body.error]).toEqual([
      409,
      'This player is already banned permanently.',
    ])
  })

  test('is needed from a year on, and a change of a ban cannot avoid it', async () => {
    const { act } = await fixture.staff({ permanentBansNeedApproval: true })
    const ban = async (durationSeconds: unknown) =>
      (await act({ action: 'ban', userId: newPlayer(), durationSeconds })).body
    const year = await ban(365 * DAY)
    expect([year.approval, year.record.durationSeconds]).toEqual([undefined, String(365 * DAY)])
    expect((await ban(365 * DAY + 1)).approval).toMatchObject({ durationSeconds: String(365 * DAY + 1) })
    const change = await act({ action: 'edit', id: year.record.id, durationSeconds: 'permanent' })
    expect(summarize(change)).toEqual([403, 'needs_approval', 'permanentBansNeedApproval'])
    expect(summarize(await act({ action: 'extend', id: year.record.id, value: '1' }))).toEqual([
      403,
      'needs_approval',
      'permanentBansNeedApproval',
    ])
  })

  test('cannot be prolonged by requesting it again', async () => {
    const { act } = await fixture.staff({ permanentBansNeedApproval: true })
    const userId = newPlayer()
    const ban = () => act({ action: 'ban', userId })
    const first = await ban()
    expect(summarize(await ban())).toEqual([409, 'conflict', null])
    instance.clock.advance(DAY_MS)
    const refused = await ban()
    expect(refused.body).toMatchObject({
      reason: 'needs_approval',
      limit: { resetsAt: new Date(Date.parse(first.body.approval.requestedAt) + 7 * DAY_MS).toISOString() },
    })
    instance.clock.advance(6 * DAY_MS)
    expect((await ban()).body.approval.state).toBe('pending')
  })
})

describe('nobody approves their own request', () => {
  test('neither with the account, nor with an API key of theirs, nor as the player a key acted for', async () => {
    const limits = { permanentBansNeedApproval: true }
    const person = await fixture.staff(limits, ['moderation.approve', 'api_keys.manage'])
    const fields = { name: 'Bot', permissions: 'moderation.view,moderation.ban,moderation.approve' }
    const createKey = async () =>
      (await fixture.portal('POST', 'api-keys', fields, person.session)).body.secret as string
    const [key, secondKey] = [await createKey(), await createKey()]
    const playerId = newPlayer()
    await fixture.portal('PATCH', 'members/players', { accountId: person.accountId, userIds: playerId })
    const own = [403, 'needs_approval', null]
    const approve = async (id: string, credentials: object, body: object = {}) =>
      summarize(await fixture.decide(id, { action: 'approve', ...body }, credentials))
    const bySession = (await person.act({ action: 'ban', userId: newPlayer() })).body.approval
    const byKey = (await fixture.act({ action: 'ban', userId: newPlayer(), reason: 'x' }, { key })).body
      .approval
    for (const { id } of [bySession, byKey]) {
      for (const credentials of [{ session: person.session }, { key }, { key: secondKey }])
        expect(await approve(id, credentials)).toEqual(own)
    }
    expect(await approve(bySession.id, { key: fixture.key }, { actorPlatformUserId: playerId })).toEqual(own)
    // A key of the owner acts for the person in the game.
    const strict = await instance.member(fixture.id, ['moderation.ban', 'api_keys.manage'], 10, limits)
    const gameKey = (
      await fixture.portal(
        'POST',
        'api-keys',
        { name: 'Game', permissions: 'moderation.ban' },
        strict.session,
      )
    ).body.secret
    const inGame = await fixture.act(
      { action: 'ban', userId: newPlayer(), reason: 'x', actorPlatformUserId: playerId },
      { key: gameKey },
    )
    expect(await approve(inGame.body.approval.id, { session: person.session })).toEqual(own)
    expect(await approve(bySession.id, { session: fixture.ownerSession })).toBe(200)
  })

  test('and nobody approves a ban of somebody whom they do not outrank', async () => {
    const { approval, record } = await request()
    const target = await instance.member(fixture.id, [], 40)
    await fixture.portal('PATCH', 'members/players', {
      accountId: target.accountId,
      userIds: record.userId,
    })
    const approver = await instance.member(fixture.id, ['moderation.approve'], 40)
    const credentials = { session: approver.session }
    expect(summarize(await fixture.decide(approval.id, { action: 'approve' }, credentials))).toEqual([
      403,
      'insufficient_rank',
      null,
    ])
    const rejected = await fixture.decide(approval.id, { action: 'reject', reason: 'x' }, credentials)
    expect(rejected.status).toBe(200)
  })
})

test('requests survive an archive, and its copy', async () => {
  const other = await openLimitsFixture(instance)
  const { approval } = await requestApproval(instance, other.id, newPlayer())
  const limited = await other.staff({ longestBanSeconds: HOUR })
  await other.portal('PATCH', 'workspace', { approvalHours: '2' })
  const post = async (body: object) =>
    (await instance.request('POST', '/api/workspaces', { session: other.ownerSession, body })).body
  const { archive } = await post({ id: other.id, archive: 'true' })
  const { workspace } = await post({ fromArchive: archive.id, groupName: 'Copy' })
  const read = async (path: string) =>
    (await instance.request('GET', `${path}?workspaceId=${workspace.id}`, { session: other.ownerSession }))
      .body
  expect((await read('/api/moderation/approvals')).approvals).toMatchObject([
    { id: approval.id, state: 'pending' },
  ])
  const roles: { id: string; longestBanSeconds: string | null }[] = (await read('/portal/api/roles')).roles
  expect(roles.find(({ id }) => id === limited.roleId)?.longestBanSeconds).toBe(String(HOUR))
})
