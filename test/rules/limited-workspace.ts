import type { Permission, RoleLimits } from '@reeve/core'
import { type Fields, openModerationFixture } from '../contract/moderation/fixture.ts'
import { EVIDENCE_PATH, uploadEvidence } from '../support/evidence-upload.ts'
import { type Instance, LEGACY_PREFIX } from '../support/instance.ts'
import type { Operation } from './limited-operations.ts'

const HOUR = 3600
export const LIMITS = {
  longestBanSeconds: 24 * HOUR,
  longestMuteSeconds: HOUR,
  highestSeverity: 'high',
  bansPerHour: 3,
  evidenceFromSeverity: 'high',
  permanentBansNeedApproval: true,
} as const satisfies RoleLimits

const PERMISSIONS: readonly Permission[] = [
  ...(['view', 'note', 'warn', 'mute', 'kick', 'ban', 'unban', 'edit'] as const).map(
    (name): Permission => `moderation.${name}`,
  ),
  ...(['revoke', 'bulk', 'approve', 'evidence'] as const).map((name): Permission => `moderation.${name}`),
  'appeals.view',
  'appeals.decide',
  'api_keys.manage',
]

/** Players; the last one is a member of the same rank as the limited one. */
const PLAYERS = ['1', '2', '3', '301'] as const
export const MEMBER_PLAYER = '301'

/** A record as lists contain it. */
export interface RecordState {
  readonly id: string
  readonly userId: string
  readonly action: string
  readonly status: string
  readonly severity: string
  readonly evidenceCount: string
  readonly evidenceFileCount: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly actorUserId: string
  readonly appealCode: string | null
}

/** A workspace with a member whose role has limits, and the requests of the operations. */
export async function openLimitedWorkspace(instance: Instance) {
  const fixture = await openModerationFixture(instance)
  const { id: workspaceId, ownerSession, ownerId } = fixture
  const limited = await instance.member(workspaceId, PERMISSIONS, 10, LIMITS)
  // Can approve, but neither ban permanently nor request it.
  const approver = await instance.member(workspaceId, PERMISSIONS, 10, {
    ...LIMITS,
    permanentBansNeedApproval: false,
  })
  const equal = await instance.member(workspaceId, ['moderation.view'], 10)
  const { session } = limited
  const post = (path: string, body: Fields, as: { session?: string; key?: string } = { session }) =>
    instance.request('POST', path, { ...as, body: { workspaceId, ...body } })
  const { secret } = (
    await post('/portal/api/api-keys', { name: 'Key', permissions: PERMISSIONS.slice(0, 11).join() })
  ).body
  await instance.request('PATCH', '/portal/api/members/players', {
    session: ownerSession,
    body: { workspaceId, accountId: equal.accountId, userIds: MEMBER_PLAYER },
  })
  const game = await instance.key(workspaceId, ['appeals.submit'])
  const batches: string[] = []

  const listRecords = async (): Promise<RecordState[]> => (await fixture.get({ limit: '200' })).body.records
  const choose = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length]
  const chooseRecord = async (index: number) => choose(await listRecords(), index)
  const owner = { session: ownerSession }

  const act = (body: Fields, way: 'session' | 'key' | 'legacy') =>
    way === 'legacy'
      ? post(`${LEGACY_PREFIX}/moderation`, body)
      : post('/api/moderation', body, way === 'key' ? { key: secret } : { session })
  const toRecord = (change: Extract<Operation, { kind: 'create' | 'ownerCreates' | 'batchOnPlayers' }>) => ({
    action: change.action,
    reason: 'x',
    ...(change.severity && { severity: change.severity }),
    ...(change.hasEvidence && { evidence: 'https://example.com/clip' }),
    ...((change.action === 'ban' || change.action === 'mute') && { durationSeconds: change.seconds }),
  })
  const toChange = (action: string, fields: Fields): Fields => ({
    action,
    ...(action === 'edit' && fields),
    ...(action === 'extend' && { value: '90000' }),
    ...(action === 'evidence' && { value: 'https://example.com/later' }),
    ...(['unban', 'unmute', 'revoke'].includes(action) && { reason: 'x' }),
  })
  async function runBatch(body: Fields) {
    const response = await post('/api/moderation/batches', body)
    if (response.status !== 200) return response
    const { id } = response.body.batch
    batches.push(id)
    const read = await instance.request(
      'GET',
      `/api/moderation/batches?workspaceId=${workspaceId}&id=${id}`,
      { session },
    )
    return { ...read, status: read.body.batch.succeeded === '0' ? 403 : 200 }
  }
  async function listPending() {
    const { approvals } = (
      await instance.request(
        'GET',
        `/api/moderation/approvals?workspaceId=${workspaceId}&state=pending`,
        owner,
      )
    ).body
    return approvals as { id: string }[]
  }
  async function appeal(index: number, decision: string) {
    const record = choose(
      (await listRecords()).filter(({ appealCode, status }) => appealCode !== null && status === 'active'),
      index,
    )
    if (!record) return null
    const submitted = await post(
      '/api/appeals',
      { code: record.appealCode, message: 'Please' },
      { key: game },
    )
    const { id } = submitted.body.appeal ?? {}
    if (id === undefined) return null
    return post('/portal/api/appeals/decide', {
      id,
      decision,
      ...(decision === 'reduced' && { durationSeconds: '90000' }),
    })
  }

  /** Carries an operation out. @returns its response; null if there is nothing to do it to */
  async function run(
    operation: Operation,
  ): Promise<{ readonly status: number; readonly text: string } | null> {
    if (operation.kind === 'create')
      return act({ ...toRecord(operation), userId: choose(PLAYERS, operation.player) }, operation.way)
    if (operation.kind === 'requestPermanent') {
      const ban = { action: 'ban', reason: 'x', severity: 'low', durationSeconds: 'permanent' }
      return act({ ...ban, userId: choose(PLAYERS, operation.player) }, operation.way)
    }
    if (operation.kind === 'ownerCreates')
      return post(
        '/api/moderation',
        { ...toRecord(operation), userId: choose(PLAYERS, operation.player) },
        owner,
      )
    if (operation.kind === 'batchOnPlayers')
      return runBatch({ ...toRecord(operation), userIds: PLAYERS.join() })
    if (operation.kind === 'undo')
      return runBatch({
        action: 'undo',
        actorUserId: operation.ofOwner ? ownerId : limited.accountId,
        since: new Date(instance.clock.now() - operation.minutes * 60_000).toISOString(),
        reason: 'x',
      })
    if (operation.kind === 'wait') {
      instance.clock.advance(operation.minutes * 60_000)
      return null
    }
    if (operation.kind === 'reverse') {
      const id = choose(batches, operation.pick)
      return id === undefined ? null : runBatch({ action: 'reverse', id, reason: 'x' })
    }
    if (operation.kind === 'approve' || operation.kind === 'ownerDecides') {
      const request = choose(await listPending(), operation.pick)
      if (!request) return null
      if (operation.kind === 'ownerDecides')
        return post(
          '/api/moderation/approvals',
          { id: request.id, action: operation.action, reason: 'x' },
          owner,
        )
      return post(
        '/api/moderation/approvals',
        { id: request.id, action: 'approve' },
        operation.byApprover
          ? { session: approver.session }
          : operation.way === 'key'
            ? { key: secret }
            : { session },
      )
    }
    if (operation.kind === 'appeal') return appeal(operation.pick, operation.decision)
    const record = await chooseRecord(operation.pick)
    if (!record) return null
    const { id } = record
    if (operation.kind === 'edit') return act({ action: 'edit', id, ...operation.fields }, operation.way)
    if (operation.kind === 'extend')
      return act({ action: 'extend', id, value: operation.value }, operation.way)
    if (operation.kind === 'change') return act({ ...toChange(operation.action, {}), id }, operation.way)
    if (operation.kind === 'ownerChanges')
      return post('/api/moderation', { ...toChange(operation.action, operation.fields), id }, owner)
    if (operation.kind === 'batchOnRecords') {
      const recordIds = (await listRecords()).map((row) => row.id).join()
      return runBatch({ ...toChange(operation.action, operation.fields), recordIds })
    }
    if (operation.kind === 'attach')
      return uploadEvidence(instance, { session, workspaceId, id, name: 'chat.log' }, `line of ${id}`)
    const file = (await fixture.getRecord(id)).record.evidenceFiles[0]
    if (!file) return null
    const query = new URLSearchParams({ workspaceId, id, fileId: file.id })
    return instance.request('DELETE', `${EVIDENCE_PATH}?${query}`, { session })
  }

  return { run, listRecords }
}
