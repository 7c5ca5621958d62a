import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission, RoleLimits } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openLadders } from './ladder-fixture.ts'
import { summarize } from './limits-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

interface Importer {
  readonly accountId: string
  readonly session: string
}

/** A workspace, and imports of CSV files by its members. */
async function openImports() {
  const fixture = await openLadders(instance)
  const importer = (rank: number, more: readonly Permission[] = [], limits: Partial<RoleLimits> = {}) =>
    instance.member(fixture.id, ['moderation.import', 'moderation.view', ...more], rank, limits)
  const send = (path: string, { session }: Importer, body: object) =>
    instance.request('POST', `/portal/api/imports${path}`, {
      session,
      body: { workspaceId: fixture.id, ...body },
    })
  const begin = (from: Importer, csv: string, fields: object = {}) =>
    send('', from, { format: 'csv', fileName: 'x.csv', sizeBytes: Buffer.byteLength(csv), ...fields })
  const upload = (from: Importer, id: string, csv: string) =>
    send('/part', from, { id, part: 0, data: Buffer.from(csv).toString('base64') })
  const read = async ({ session }: Importer, id: string) => {
    const query = `?workspaceId=${fixture.id}&id=${id}`
    const { body } = await instance.request('GET', `/portal/api/imports/import${query}`, { session })
    const issues = await instance.request('GET', `/portal/api/imports/issues${query}`, { session })
    return { result: body.import, entries: issues.body.issues }
  }
  async function runImport(from: Importer, csv: string, fields: object = {}) {
    const begun = await begin(from, csv, fields)
    expect(begun.status, begun.text).toBe(200)
    const { id } = begun.body.import
    await upload(from, id, csv)
    await instance.runImports()
    return read(from, id)
  }
  const linkPlayer = (accountId: string, userId: string) =>
    instance.request('PATCH', '/portal/api/members/players', {
      session: fixture.ownerSession,
      body: { workspaceId: fixture.id, accountId, userIds: userId },
    })
  return { ...fixture, importer, begin, upload, read, runImport, linkPlayer }
}

const HEADER = 'userId,action,occurredAt,until,sourceId'

describe('an import', () => {
  for (const dryRun of ['true', 'false'])
    test(`skips the sanctions of members whom the importer does not outrank (dry run: ${dryRun})`, async () => {
      const { importer, runImport, linkPlayer, listActiveBans } = await openImports()
      const robin = await importer(10)
      const equal = await importer(10)
      const lower = await importer(9)
      await linkPlayer(equal.accountId, '301')
      await linkPlayer(lower.accountId, '302')
      const csv = [
        HEADER,
        '301,ban,2026-01-05,never,1',
        '302,ban,2026-01-05,never,2',
        '301,warn,2026-01-05,,3',
      ]
      const { result, entries } = await runImport(robin, csv.join('\n'), { dryRun })
      expect(result).toMatchObject({ state: 'succeeded', created: '2', skipped: '1' })
      expect(entries.find(({ outcome }: { outcome: string }) => outcome === 'skipped').message).toContain(
        'the player is a member of the workspace',
      )
      expect(await listActiveBans('301')).toEqual([])
      expect(await listActiveBans('302')).toHaveLength(dryRun === 'true' ? 0 : 1)
    })

  test('merges nothing into a ban beyond the step of its ladder', async () => {
    const { importer, runImport, choose, getRecord } = await openImports()
    await choose('1')
    const mute = await choose('1')
    const csv = `${HEADER}\n1,mute,2026-01-05,never,1`
    const { result, entries } = await runImport(await importer(10), csv, { conflicts: 'merge' })
    expect(result).toMatchObject({ skipped: '1', merged: '0' })
    expect(entries[0].message).toContain('More requires the permission moderation.override')
    expect((await getRecord(mute.id)).record.durationSeconds).toBe('3600')
    const other = `${HEADER}\n1,mute,2026-01-06,never,2`
    const chooser = await importer(10, ['moderation.override'])
    expect((await runImport(chooser, other, { conflicts: 'merge' })).result).toMatchObject({ merged: '1' })
    expect((await getRecord(mute.id)).record.durationSeconds).toBeNull()
  })

  test('is refused to members with limits, and ends if they get some', async () => {
    const { importer, begin, upload, read, id, ownerSession } = await openImports()
    const csv = `${HEADER}\n303,ban,2026-01-05,never,1`
    const limited = await importer(10, ['moderation.ban'], { longestBanSeconds: 60 })
    expect(summarize(await begin(limited, csv))).toEqual([403, 'over_limit', 'longestBanSeconds'])
    const member = await importer(10, ['moderation.ban'])
    const begun = await begin(member, csv)
    await instance.request('PATCH', '/portal/api/roles', {
      session: ownerSession,
      body: { workspaceId: id, id: member.roleId, longestBanSeconds: '60' },
    })
    await upload(member, begun.body.import.id, csv)
    await instance.runImports()
    const { result } = await read(member, begun.body.import.id)
    expect([result.state, result.created]).toEqual(['failed', '0'])
    expect(result.error).toContain('Your roles have limits')
  })
})
