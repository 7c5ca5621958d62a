import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { parseAnchors, readAnchors, verifyAudit } from '@reeve/audit'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createAttacker } from './attacks.ts'

let instance: Instance
let attacker: ReturnType<typeof createAttacker>
let workspaceId: string
let key: string
beforeEach(async () => {
  instance = await openInstance()
  attacker = createAttacker(instance)
  ;({ id: workspaceId, key } = await instance.workspace())
})
afterEach(() => instance.close())

const verify = async () => (await verifyAudit(instance.db.read, instance.ports)).faults

const ban = async (userId: string): Promise<string> =>
  (
    await instance.request('POST', '/api/moderation', {
      key,
      body: { workspaceId, action: 'ban', userId, reason: 'Exploiting' },
    })
  ).body.record.id

const redact = async (id: string) =>
  expect(
    (
      await instance.request('POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'redact', id, reason: 'personal data' },
      })
    ).status,
  ).toBe(200)

/** The lines of anchors that a server would write now. */
async function anchor(known = new Map<string, number>()) {
  const chains: Record<string, unknown> = {}
  for await (const { chain, anchor } of readAnchors(instance.db.read, known)) chains[chain] = anchor
  return JSON.stringify({ time: '2026-11-22T18:00:00.000Z', chains })
}

const verifyWith = async (...lines: string[]) =>
  verifyAudit(instance.db.read, instance.ports, await parseAnchors(lines))

describe('without the key, nobody can', () => {
  test('rewrite a row and compute the rest of the chain again', async () => {
    await ban('156')
    const [first] = await attacker.listRows(workspaceId)
    expect(await verify()).toEqual([])
    await attacker.renameActor(workspaceId, first?.sequence ?? 0)
    expect(await verify()).toMatchObject([{ workspaceId, fault: expect.stringContaining('altered') }])
    await attacker.recomputeWithoutKey(workspaceId)
    expect(await verify()).toMatchObject([{ workspaceId, fault: expect.stringContaining('altered') }])
  })

  test('remove the changes of a row that is not about a record', async () => {
    await instance.request('POST', '/api/departments', { key, body: { workspaceId, name: 'Patrol' } })
    const row = (await attacker.listRows(workspaceId)).find(({ target_kind }) => target_kind === 'department')
    if (!row) throw new Error('the department is not in the log')
    await attacker.blankChanges(workspaceId, row)
    expect(await verify()).toEqual([
      {
        workspaceId,
        sequence: row.sequence,
        fault: 'its changes were removed, although it is not about a record',
      },
    ])
  })

  test('remove the changes of a record that was not redacted, or of what happened after its redaction', async () => {
    const [redacted, other] = [await ban('156'), await ban('261')]
    await redact(redacted)
    expect(await verify()).toEqual([])
    const rows = await attacker.listRows(workspaceId)
    const fault = 'its changes were removed, and no later redaction or deletion of the record explains that'
    const redaction = rows.find(({ action }) => action === 'moderation.redact')
    if (!redaction) throw new Error('the redaction is not in the log')
    await attacker.blankChanges(workspaceId, redaction)
    // The redaction itself has the reason, which only another one may remove.
    expect(await verify()).toEqual([{ workspaceId, sequence: redaction.sequence, fault }])
    const ofOther = rows.find(({ target_id }) => target_id === other)
    if (!ofOther) throw new Error('the record is not in the log')
    await attacker.blankChanges(workspaceId, ofOther)
    expect(await verify()).toEqual([{ workspaceId, sequence: ofOther.sequence, fault }])
  })

  test('remove a whole chain with its head', async () => {
    for (const chain of [workspaceId, 'instance']) {
      await attacker.removeChain(chain)
      expect(await verify()).toContainEqual({
        workspaceId: chain,
        sequence: 0,
        fault: 'the chain was removed, or its head',
      })
    }
  })

  test('remove a whole chain, also if later changes start another one', async () => {
    await attacker.removeChain(workspaceId)
    await ban('156')
    const [first] = await attacker.listRows(workspaceId)
    const fault = 'the rows before it are missing, with the creation of the workspace'
    expect(await verify()).toEqual([{ workspaceId, sequence: first?.sequence ?? 0, fault }])

    await attacker.removeChain('instance')
    const body = { username: 'nobody', password: 'four words I never chose' }
    expect((await instance.request('POST', '/portal/api/sign-in', { body })).status).toBe(401)
    expect(await attacker.listRows('instance')).toHaveLength(1)
    expect(await verify()).toContainEqual({
      workspaceId: 'instance',
      sequence: 0,
      fault: expect.stringMatching(/^the creation of account [0-9a-f-]{36} is missing$/),
    })
  })

  test('cut rows off the end, even all of them', async () => {
    await ban('156')
    await ban('261')
    const rows = await attacker.listRows(workspaceId)
    const kept = rows.at(-2)
    if (!kept) throw new Error('the log is too short')
    await attacker.cutAfter(workspaceId, kept)
    const fault = 'rows at the end are missing'
    expect(await verify()).toEqual([{ workspaceId, sequence: kept.sequence, fault }])
    await attacker.cutAfter(workspaceId, { ...kept, sequence: 0, hash: '0'.repeat(64) })
    expect(await verify()).toEqual([{ workspaceId, sequence: 0, fault }])
  })

  test('exchange the chains of two workspaces', async () => {
    const other = await instance.workspace()
    await attacker.swapChains(workspaceId, other.id)
    expect((await verify()).map((fault) => fault.workspaceId).sort()).toEqual([workspaceId, other.id].sort())
    for (const chain of [workspaceId, other.id]) await attacker.recomputeWithoutKey(chain)
    expect(await verify()).toHaveLength(2)
  })
})

describe('anchors', () => {
  test('confirm the rows that they name, also after a redaction and later changes', async () => {
    const id = await ban('156')
    const first = await anchor()
    await redact(id)
    await ban('261')
    const { faults, anchored } = await verifyWith(first, 'a line without anchors', await anchor())
    expect(faults).toEqual([])
    expect(anchored).toBe(3)
  })

  test('contain only the chains that have changed since the last ones', async () => {
    const known = new Map<string, number>()
    expect(Object.keys(JSON.parse(await anchor(known)).chains).sort()).toEqual(
      [workspaceId, 'instance'].sort(),
    )
    expect(JSON.parse(await anchor(known)).chains).toEqual({})
    await ban('156')
    expect(Object.keys(JSON.parse(await anchor(known)).chains)).toEqual([workspaceId])
  })

  test('find that an older state was put back, which the key alone cannot', async () => {
    const putBack = await attacker.copyState(workspaceId)
    await ban('156')
    await ban('261')
    const anchored = await anchor()
    await putBack()
    expect(await verify()).toEqual([])
    const { faults } = await verifyWith(anchored)
    expect(faults).toMatchObject([
      {
        workspaceId,
        fault: expect.stringMatching(/^rows at the end are missing: at 2026-11-22T18:00:00.000Z, there/),
      },
    ])
    // Other changes in place of those that were undone.
    await ban('4416')
    await ban('4417')
    expect(await verify()).toEqual([])
    expect((await verifyWith(anchored)).faults).toMatchObject([
      { workspaceId, fault: 'the row is not the one that was anchored at 2026-11-22T18:00:00.000Z' },
    ])
  })

  test('find that a workspace was removed with its chain', async () => {
    const unknown = '0198c0de-dead-7000-8000-00000000dead'
    const line = JSON.stringify({
      time: '2026-11-22T18:00:00.000Z',
      chains: { [unknown]: [4, 'a'.repeat(64)] },
    })
    expect((await verifyWith(line)).faults).toEqual([
      { workspaceId: unknown, sequence: 0, fault: 'the chain was removed, or its head' },
    ])
  })

  test('are read from the lines of a system log, and a damaged one is reported', async () => {
    const line = `Nov 22 18:00:00 staff reeve[12]: ${await anchor()}`
    expect((await verifyWith(line)).anchored).toBe(2)
    const damaged = ['{"chains":{"instance":[1', '{"chains":{"instance":["1","x"]}}']
    expect((await parseAnchors([damaged[0] ?? '', line, damaged[1] ?? ''])).damagedLines).toEqual([1, 3])
    expect((await verifyWith(damaged[0] ?? '', line)).anchored).toBe(2)
  })
})
