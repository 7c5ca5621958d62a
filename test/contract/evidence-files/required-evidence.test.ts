import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { DAY_MS, HOUR_MS } from '@reeve/core'
import { deleteUnusedEvidence } from '@reeve/moderation'
import { uploadEvidence } from '../../support/evidence-upload.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type LimitsFixture, openLimitsFixture, summarize } from '../moderation/limits-fixture.ts'

let instance: Instance
let fixture: LimitsFixture
beforeAll(async () => {
  instance = await openInstance()
  fixture = await openLimitsFixture(instance)
})
afterAll(() => instance.close())

const cleanUp = () => deleteUnusedEvidence(instance.db, instance.ports, databaseEvidenceStore)

let lastPlayer = 1000
const newPlayer = () => String(++lastPlayer)
const REFUSED = [403, 'over_limit', 'evidenceFromSeverity']

/** A member who needs evidence from severity medium upwards. */
async function openStaff(permissions: Parameters<LimitsFixture['staff']>[1] = ['moderation.evidence']) {
  const member = await fixture.staff({ evidenceFromSeverity: 'medium' }, permissions)
  const { session } = member
  const upload = (content: string, id?: string) =>
    uploadEvidence(
      instance,
      { session, workspaceId: fixture.id, name: 'chat.log', ...(id !== undefined && { id }) },
      content,
    )
  const uploadFirst = async (content: string) => (await upload(content)).body.file
  const warn = (fields: object) =>
    member.act({ action: 'warn', userId: newPlayer(), severity: 'high', ...fields })
  return { ...member, upload, uploadFirst, warn }
}

describe('files as the evidence that a limit requires', () => {
  test('are uploaded first, and belong to the record that names them', async () => {
    const { warn, uploadFirst, accountId, session } = await openStaff()
    expect(summarize(await warn({}))).toEqual(REFUSED)
    const files = [await uploadFirst('one'), await uploadFirst('two')]
    const created = await warn({ evidenceFiles: files.map(({ id }) => id).join() })
    expect(summarize(created)).toBe(200)
    expect(created.body.record.evidenceFiles).toMatchObject(
      files.map(({ id, sha256 }) => ({ id, sha256, name: 'chat.log', addedBy: accountId, appealId: null })),
    )
    const query = new URLSearchParams({ workspaceId: fixture.id, fileId: files[1].id })
    const path = `/portal/api/moderation/evidence-files?${query}`
    expect((await instance.request('GET', path, { session })).text).toBe('two')
    instance.clock.advance(2 * DAY_MS)
    await cleanUp()
    expect((await instance.request('GET', path, { session })).status).toBe(200)
  })

  test('count in edits, and the last one is not removed while the severity needs it', async () => {
    const { act, upload, session } = await openStaff()
    const { record } = (await act({ action: 'warn', userId: newPlayer(), severity: 'low' })).body
    const raise = { action: 'edit', id: record.id, severity: 'high' }
    expect(summarize(await act(raise))).toEqual(REFUSED)
    const { file } = (await upload('seen', record.id)).body
    expect(summarize(await act(raise))).toBe(200)
    const remove = async () => {
      const query = new URLSearchParams({ workspaceId: fixture.id, id: record.id, fileId: file.id })
      const path = `/portal/api/moderation/evidence-files?${query}`
      return summarize(await instance.request('DELETE', path, { session }))
    }
    expect(await remove()).toEqual(REFUSED)
    await act({ action: 'evidence', id: record.id, value: 'https://example.com/clip' })
    expect(await remove()).toBe(200)
  })

  test('are used once, by the account that uploaded them, within a day', async () => {
    const robin = await openStaff()
    const sam = await openStaff()
    const without = await openStaff([])
    const problem = (response: { body: { details?: { field: string }[] } }) =>
      response.body.details?.[0]?.field
    const { id } = await robin.uploadFirst('mine')
    expect(problem(await sam.warn({ evidenceFiles: id }))).toBe('evidenceFiles')
    expect(summarize(await without.warn({ evidenceFiles: id }))).toEqual([403, 'missing_permission', null])
    expect(summarize(await robin.warn({ evidenceFiles: id }))).toBe(200)
    expect(problem(await robin.warn({ evidenceFiles: id }))).toBe('evidenceFiles')
    const late = await robin.uploadFirst('late')
    instance.clock.advance(DAY_MS + HOUR_MS)
    await cleanUp()
    expect(problem(await robin.warn({ evidenceFiles: late.id }))).toBe('evidenceFiles')
  })
})
