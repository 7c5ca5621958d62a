import { afterAll, beforeAll, expect, test } from 'bun:test'
import { requestApproval } from '../../support/approvals.ts'
import { uploadEvidence } from '../../support/evidence-upload.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { openAppeals } from '../appeals/fixture.ts'
import { openErasureFixture } from './erasure-fixture.ts'

const SECRET = 'Lives in Elm Street'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** A workspace with a ban that has waited for approval, whose reason must be removed later. */
async function openBan() {
  const desk = await openAppeals(instance)
  const { workspaceId, ownerSession: session } = desk
  const { record, approval } = await requestApproval(instance, workspaceId, '156')
  /** Sends a write twice, the second time as a retry. @returns the request, and the body of the response */
  async function write(path: string, fields: object, key?: string) {
    const send = () =>
      instance.request('POST', path, {
        ...(key === undefined ? { session } : { key }),
        headers: { 'idempotency-key': 'a' },
        body: { workspaceId, ...fields },
      })
    const { status, body, text } = await send()
    if (status !== 200) throw new Error(text)
    return { send, body }
  }
  const ban = { ...record, reason: SECRET }
  await desk.act(session, { action: 'edit', id: record.id, reason: SECRET })
  return { ...desk, ban, approval, write }
}

test('a redaction leaves the answer that an erasure has stored', async () => {
  const { id: workspaceId, ownerSession: session, erase, act } = await openErasureFixture(instance)
  const send = () =>
    instance.request('POST', '/api/moderation', {
      session,
      headers: { 'idempotency-key': 'a' },
      body: { workspaceId, action: 'ban', userId: '156', reason: 'Exploiting' },
    })
  const { id } = (await send()).body.record
  await erase('156', 'pseudonymise')
  const erased = await send()
  expect([erased.status, erased.body.code]).toEqual([404, 'not_found'])
  await act({ action: 'revoke', id, reason: 'Too old' })
  expect((await act({ action: 'redact', id, reason: 'Personal data' })).status).toBe(200)
  expect((await send()).body).toEqual(erased.body)
})

test('a redaction removes the texts of a ban from stored responses of every form, which stay otherwise', async () => {
  const { ban, approval, write, game, act, ownerSession, configure } = await openBan()
  await configure({ allowFiles: 'true' })
  const decision = await write('/api/moderation/approvals', { id: approval.id, action: 'approve' })
  const pin = await write('/portal/api/pinned-notes', { recordId: ban.id })
  const code = decision.body.record.appealCode
  const submission = await write('/api/appeals', { code, message: 'It was my brother.' }, game)
  const data = Buffer.from('A text').toString('base64')
  const file = await write('/api/appeals/files', { code, name: `${SECRET}.txt`, data }, game)
  const claim = await write('/portal/api/appeals/claim', { id: submission.body.appeal.id })
  const requests = { decision, pin, submission, claim }
  for (const [name, { body }] of Object.entries({ ...requests, file }))
    expect([name, JSON.stringify(body)]).toEqual([name, expect.stringContaining(SECRET)])

  const redacted = (await act(ownerSession, { action: 'redact', id: ban.id, reason: 'Personal data' })).body
  expect(JSON.stringify(await readStoredRows(instance))).not.toContain(SECRET)
  const expected = {
    decision: { approval: { ...decision.body.approval, reason: null }, record: redacted.record },
    pin: { pinnedNote: { ...pin.body.pinnedNote, text: null } },
    submission: { ...submission.body, ban: { ...submission.body.ban, reason: null } },
    claim: { ...claim.body, ban: { ...claim.body.ban, reason: null, publicReason: null }, files: [] },
  }
  for (const [name, { send }] of Object.entries(requests)) {
    const retry = await send()
    expect([name, retry.status, retry.headers.get('idempotent-replayed'), retry.body]).toEqual([
      name,
      200,
      'true',
      expected[name as keyof typeof expected],
    ])
  }
})

test('a redaction removes the name of a file that was uploaded before the record from the stored response', async () => {
  const { workspaceId, ownerSession: session, act } = await openAppeals(instance)
  const upload = () =>
    uploadEvidence(
      instance,
      { session, workspaceId, name: `${SECRET}.txt`, headers: { 'idempotency-key': 'a' } },
      'A text',
    )
  const { file } = (await upload()).body
  expect(file.name).toBe(`${SECRET}.txt`)
  const warning = { action: 'warn', userId: '157', reason: 'Spam', evidenceFiles: file.id }
  const { id } = (await act(session, warning)).body.record
  expect((await upload()).body).toEqual({ file })
  await act(session, { action: 'redact', id, reason: 'Personal data' })
  expect(JSON.stringify(await readStoredRows(instance))).not.toContain(SECRET)
  const retry = await upload()
  expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(retry.body).toEqual({ file: { ...file, name: '' } })
})
