import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openEventsFixture } from '../events/fixture.ts'
import { openModerationFixture } from '../moderation/fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('the message of an error', () => {
  test('names the first problem, and details list all of them', async () => {
    const { act } = await openModerationFixture(instance)
    const missing = await act({ action: 'ban', userId: '261' })
    expect([missing.status, missing.body.error]).toEqual([400, 'reason: is required'])
    const several = await act({ action: 'ban', userID: '261', reason: 'x', durationSeconds: '0' })
    expect(several.body.error).toBe('userID: is not a field of this request; did you mean userId?')
    expect(several.body.details.map(({ field }: { field: string }) => field)).toEqual([
      'userID',
      'durationSeconds',
    ])
  })

  test('for a missing workspace is the one of the specification', async () => {
    const { key } = await instance.workspace()
    const { status, body } = await instance.request('GET', '/api/departments', { key })
    expect([status, body.error]).toEqual([400, 'Missing workspaceId'])
  })
})

describe('a time', () => {
  test('in epoch seconds is rejected with the reason', async () => {
    const { writeEvent, readEvents } = await openEventsFixture(instance)
    const fields = { title: 'Shift', scheduledFor: '1790000000' }
    const rejected = await writeEvent('POST', fields)
    expect([rejected.status, rejected.body.error]).toEqual([
      400,
      'scheduledFor: must be epoch milliseconds: this number is too small, and probably in seconds',
    ])
    expect((await readEvents({ from: '99999999999' })).status).toBe(400)
    expect((await readEvents({ from: '100000000000' })).status).toBe(200)
    const { event } = (await writeEvent('POST', { ...fields, scheduledFor: '1790000000000' })).body
    expect(event.scheduledFor).toBe('2026-09-21T14:13:20.000Z')
  })

  test('whose plus sign was not encoded in the query is read with it', async () => {
    const { createEvent, listTitles, toPath, credentials } = await openEventsFixture(instance)
    await createEvent({ title: 'Early', scheduledFor: '2030-03-01T15:59:59Z' })
    await createEvent({ title: 'Late', scheduledFor: '2030-03-01T16:00:00Z' })
    expect(await listTitles({ from: '2030-03-01T18:00:00+02:00' })).toEqual(['Late'])
    for (const from of ['2030-03-01T18:00:00+02:00', '2030-03-01%2018:00:00+02:00']) {
      const { body } = await instance.request('GET', `${toPath()}&from=${from}`, credentials)
      expect([from, body.events?.map(({ title }: { title: string }) => title)]).toEqual([from, ['Late']])
    }
  })
})

describe('a field that is returned as an array', () => {
  test('is accepted as an array of strings: evidence', async () => {
    const { actOk, act, getRecord } = await openModerationFixture(instance)
    const evidence = ['https://example.com/clip', 'Seen by\tRobin']
    const fields = { action: 'warn', userId: '261', reason: 'Spam' }
    const { id } = await actOk({ ...fields, evidence })
    expect((await getRecord(id)).record.evidence).toEqual(evidence)
    const edited = await actOk({ action: 'edit', id, evidence: [...evidence, 'Third'] })
    expect(edited.evidence).toEqual([...evidence, 'Third'])
    expect((await actOk({ action: 'edit', id, evidence: [] })).evidence).toEqual([])
    for (const invalid of [[1], [['a']], [{ a: 'b' }], [null], ['two\nlines'], Array(11).fill('x'), {}]) {
      const rejected = await act({ ...fields, evidence: invalid })
      expect([invalid, rejected.status, rejected.body.details?.[0]?.field]).toEqual([
        invalid,
        400,
        'evidence',
      ])
    }
  })

  test('is accepted as an array of strings: permissions', async () => {
    const workspace = await instance.workspace()
    const roleId = await instance.role(workspace.id, [])
    const body = { workspaceId: workspace.id, roleId }
    const options = { session: workspace.ownerSession }
    const send = (permissions: unknown) =>
      instance.request('POST', '/api/_workspace-permissions', { ...options, body: { ...body, permissions } })
    const { role } = (await send(['moderation.view', 'moderation.ban'])).body
    expect(role.permissions).toBe('["moderation.view","moderation.ban"]')
    expect((await send([])).body.role.permissions).toBe('[]')
    const unknown = await send(['moderation.bann'])
    expect(unknown.body.error).toBe('permissions: names unknown permissions: moderation.bann')
  })

  test('does not hide a repeated name elsewhere in the body', async () => {
    const { expectWriteRejected } = await openModerationFixture(instance)
    const rejected = await expectWriteRejected(
      '{"action":"warn","evidence":["a","b"],"userId":"1","reason":"Spam","reason":"Other"}',
    )
    expect([rejected.status, rejected.code]).toEqual([400, 'invalid_json'])
  })

  test('no other field is', async () => {
    const { expectWriteRejected } = await openModerationFixture(instance)
    const rejected = await expectWriteRejected(
      JSON.stringify({ action: 'warn', userId: ['1'], reason: 'Spam' }),
    )
    expect([rejected.status, rejected.fields]).toEqual([400, ['userId']])
  })
})
