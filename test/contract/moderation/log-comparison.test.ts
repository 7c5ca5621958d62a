import { afterAll, beforeAll, expect, test } from 'bun:test'
import { checkResources } from '@reeve/api/doctor/resources'
import { compareRecords, type RecordDifference } from '@reeve/moderation'
import fc from 'fast-check'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'
import { changeAccess, changeResource } from './resource-changes.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const CREATES = ['note', 'warn', 'kick', 'mute', 'ban']
const MODERATION = [
  ...[...CREATES, 'unban', 'unmute', 'edit', 'comment'],
  ...['evidence', 'acknowledge', 'revoke', 'extend', 'redact'],
]
const ACCESS = [
  ...['join', 'join', 'set_roles', 'set_roles', 'remove', 'delete_account', 'transfer'],
  ...['create_key', 'rotate_key', 'revoke_key', 'control', 'template', 'ladder'],
]
const actions = [...MODERATION, ...ACCESS, 'archive', 'restore', 'restore', 'restore', 'roll_back']

const step = fc.record({
  action: fc.constantFrom(...actions),
  userId: fc.constantFrom('1', '2', '3'),
  pick: fc.nat(30),
  texts: fc.array(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }), {
    minLength: 1,
    maxLength: 4,
  }),
  durationSeconds: fc.constantFrom('60', '3600', 'permanent'),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** The records and archives of a workspace, as far as the test has created them. */
interface Known {
  readonly ids: readonly string[]
  readonly archives: readonly string[]
  /** Roles, members, API keys, departments, events and rules. */
  readonly resources: readonly string[]
}

/** Does what staff and API keys can do. Some requests are rejected by a rule or by the state, which is intended. */
async function runHistory(workspace: Workspace, history: readonly Step[], known: Known): Promise<Known> {
  const { workspaces } = createWorkspaceRequests(instance, workspace)
  const { id } = workspace
  const ids = [...known.ids]
  const archives = [...known.archives]
  const resourceIds = [...known.resources]
  for (const { action, userId, pick, texts, durationSeconds } of history) {
    instance.clock.advance(pick * 1000)
    const text = texts[0] ?? ''
    if (action === 'restore') await workspaces({ id, archive: false })
    if (action === 'archive' || action === 'roll_back') {
      const { body } = await workspaces({ id, archive: true })
      if (body.archive) archives.push(body.archive.id)
    }
    if (action === 'roll_back') await workspaces({ id, fromArchive: archives[pick % archives.length] })
    if (ACCESS.includes(action))
      await changeAccess(instance, workspace, { action, pick, name: text }, resourceIds)
    if (!MODERATION.includes(action)) continue
    await changeResource(instance, workspace, { action, pick, texts }, resourceIds)
    const isCreation = CREATES.includes(action)
    const isLift = action === 'unban' || action === 'unmute'
    const { body } = await instance.request('POST', '/api/moderation', {
      key: workspace.key,
      body: {
        workspaceId: workspace.id,
        action,
        ...(isCreation || isLift ? { userId } : { id: ids[pick % Math.max(1, ids.length)] ?? 'none' }),
        ...(isCreation || ['edit', 'revoke', 'redact', 'unban'].includes(action) ? { reason: text } : {}),
        ...(isCreation || (action === 'edit' && pick % 2 === 0) ? { evidence: texts.join('\n') } : {}),
        ...((isCreation || isLift || action === 'revoke') && pick % 3 === 0
          ? { actorUsername: text, actorPlatformUserId: '9' }
          : {}),
        ...(action === 'mute' || action === 'ban' ? { durationSeconds } : {}),
        ...(action === 'edit' && pick % 5 === 0 ? { severity: 'critical', userUsername: text } : {}),
        ...(action === 'comment' || action === 'evidence' ? { value: text } : {}),
        ...(action === 'extend' ? { value: '120' } : {}),
      },
    })
    if (isCreation && body.record) ids.push(body.record.id)
  }
  return { ids, archives, resources: resourceIds }
}

async function compare() {
  const differences: RecordDifference[] = []
  const result = await compareRecords(instance.db.read, {
    onDifference: (difference) => differences.push(difference),
  })
  return { ...result, differences }
}

test('after any sequence of changes, roll-backs and copies, no record and no other resource differs from the audit log', async () => {
  const steps = fc.array(step, { minLength: 40, maxLength: 100, size: 'max' })
  await fc.assert(
    fc.asyncProperty(steps, steps, async (earlier, later) => {
      const workspace = await instance.workspace()
      const { workspaces } = createWorkspaceRequests(instance, workspace)
      const { ids, archives, resources } = await runHistory(workspace, earlier, {
        ids: [],
        archives: [],
        resources: [],
      })
      const { body } = await workspaces({ id: workspace.id, archive: true })
      const fromArchive = body.archive?.id ?? archives.at(-1)
      const copyResponse = await workspaces({ fromArchive }, { session: workspace.ownerSession })
      const copied = copyResponse.body.workspace
      expect(copied, copyResponse.text).toBeObject()
      await workspaces({ id: workspace.id, archive: false })
      await runHistory(workspace, later, { ids, archives: [...archives, fromArchive], resources })
      const copy = { ...workspace, id: copied.id, key: await instance.key(copied.id) }
      await runHistory(copy, later, { ids, archives: [], resources })
      const { differences, records, copied: copiedRecords, skippedWorkspaces } = await compare()
      expect({ differences, skippedWorkspaces }).toEqual({ differences: [], skippedWorkspaces: 0 })
      expect(records).toBeGreaterThan(copiedRecords)
      expect(await checkResources(instance.db.read, { step() {}, update() {} })).toMatchObject({
        verdict: 'ok',
        found: expect.stringMatching(/^All [1-9]/),
      })
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)
