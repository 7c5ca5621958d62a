import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MAX_APPEAL_FILE_BYTES, MAX_APPEAL_FILES } from '@reeve/core'
import { createZipEnd, joinBytes } from '../../support/evidence-samples.ts'
import { EVIDENCE_PATH } from '../../support/evidence-upload.ts'
import { imageBytes } from '../../support/images.ts'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { readCounters } from '../storage/fixture.ts'
import { openAppeals, PAGE, readCookie, sendForm } from './fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
// The limits of an hour are per workspace, those of codes are not.
beforeEach(() => instance.clock.advance(86_400_000))
afterAll(() => instance.close())

type Content = string | Uint8Array<ArrayBuffer>

/** A banned player with an open appeal, who sends files on the page or through the game. */
async function openFiles(settings = { allowFiles: 'true' }) {
  const desk = await openAppeals(instance)
  await desk.configure(settings)
  const record = await desk.ban()
  const { appeal } = (await desk.submit(record.appealCode)).body
  const opened = await sendForm(
    instance,
    { action: 'open', code: record.appealCode },
    { from: '203.0.113.9' },
  )
  const cookie = readCookie(opened.headers)
  const show = async () => (await instance.request('GET', PAGE, { headers: { cookie } })).text
  async function sendOnPage(name: string, content: Content, headers: Record<string, string> = {}) {
    const form = new FormData()
    form.append('file', new File([content], name))
    const response = await instance.fetch(
      new Request(`${PUBLIC_URL}${PAGE}/file`, {
        method: 'POST',
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
        body: form,
      }),
    )
    return { status: response.status, text: await response.text() }
  }
  const sendByGame = (name: string, content: Content, headers: Record<string, string> = {}) =>
    instance.request('POST', '/api/appeals/files', {
      key: desk.game,
      headers,
      body: {
        workspaceId: desk.workspaceId,
        code: record.appealCode,
        name,
        data: Buffer.from(content).toString('base64'),
      },
    })
  const download = (fileId: string, session: string) =>
    instance.request(
      'GET',
      `${EVIDENCE_PATH}?${new URLSearchParams({ workspaceId: desk.workspaceId, fileId })}`,
      {
        session,
      },
    )
  const showAppeal = (id: string) => desk.show(id)
  return { ...desk, record, appealId: appeal.id, cookie, show, showAppeal, sendOnPage, sendByGame, download }
}

describe('a file that a player sends with an appeal', () => {
  test('is shown to staff in the thread, and downloaded with the permission only', async () => {
    const { sendOnPage, sendByGame, appealId, show, showAppeal, judge, workspaceId, record, download } =
      await openFiles()
    expect((await sendOnPage('my clip<b>.txt', 'It was my brother')).status).toBe(303)
    const sent = await sendByGame('chat.log', 'He says so')
    expect(sent.status, sent.text).toBe(200)
    expect(sent.body.appeal).toMatchObject({
      files: [{ name: 'my clip b.txt' }, { name: 'chat.log', size: '10' }],
      filesLeft: String(MAX_APPEAL_FILES - 2),
    })
    expect(await show()).toContain('chat.log')
    const { files } = await showAppeal(appealId)
    expect(files).toMatchObject([
      { name: 'my clip b.txt', type: 'text/plain', appealId, addedBy: 'player' },
      { name: 'chat.log', appealId },
    ])
    const reader = await instance.member(workspaceId, ['moderation.view', 'moderation.evidence'])
    expect((await download(files[0].id, judge.session)).status).toBe(403)
    const content = await download(files[0].id, reader.session)
    expect([content.status, content.text]).toEqual([200, 'It was my brother'])
    expect(content.headers.get('content-disposition')).toStartWith('attachment')
    expect(content.headers.get('content-security-policy')).toContain('sandbox')
    const read = await instance.request('GET', `/api/moderation?workspaceId=${workspaceId}&id=${record.id}`, {
      session: reader.session,
    })
    expect(read.body.record.evidenceFiles).toHaveLength(2)
  })

  test('is refused unless the workspace allows it, and without an open appeal', async () => {
    const off = await openFiles({ allowFiles: 'false' })
    expect((await off.sendByGame('a.txt', 'text')).body.code).toBe('conflict')
    expect((await off.sendOnPage('a.txt', 'text')).text).toContain('receives no files')
    expect(await off.show()).not.toContain('type="file"')
    const on = await openFiles()
    expect(await on.show()).toContain('type="file"')
    await on.send({ action: 'withdraw', code: on.record.appealCode })
    expect((await on.sendByGame('a.txt', 'text')).body.error).toBe('This ban has no open appeal.')
    expect((await on.sendOnPage('a.txt', 'text')).status).toBe(409)
    expect(await on.show()).not.toContain('type="file"')
  })

  test('is checked like evidence: dangerous and unknown files are refused', async () => {
    const { sendByGame, sendOnPage, showAppeal, appealId } = await openFiles()
    const polyglot = joinBytes(imageBytes('png'), createZipEnd())
    for (const [name, content] of [
      ['a.png', polyglot],
      ['a.png', joinBytes('MZ', new Uint8Array(200))],
      ['a.png', imageBytes('png').subarray(0, 40)],
    ] as const) {
      const byGame = await sendByGame(name, content as Uint8Array<ArrayBuffer>)
      expect([byGame.status, byGame.body.details[0].field]).toEqual([400, 'file'])
      expect((await sendOnPage(name, content as Uint8Array<ArrayBuffer>)).status).toBe(400)
    }
    expect((await showAppeal(appealId)).files).toEqual([])
  })

  test('has a limited size, and a ban a limited number of them, also at the same time', async () => {
    const { sendByGame, sendOnPage, workspaceId } = await openFiles()
    const tooLarge = 'x'.repeat(MAX_APPEAL_FILE_BYTES + 1)
    expect((await sendByGame('a.txt', tooLarge)).status).toBe(400)
    expect((await sendOnPage('a.txt', tooLarge)).status).toBe(400)
    expect((await sendOnPage('a.txt', 'x'.repeat(MAX_APPEAL_FILE_BYTES + 10_000))).status).toBe(413)
    const before = (await readCounters(instance, workspaceId)).evidence
    const responses = await Promise.all(
      Array.from({ length: MAX_APPEAL_FILES + 3 }, (_, index) => sendByGame('a.txt', `text ${index}`)),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(MAX_APPEAL_FILES)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(3)
    expect((await readCounters(instance, workspaceId)).evidence - before).toBe(MAX_APPEAL_FILES * 6)
  })

  test('has a limited rate for an IP address', async () => {
    const { sendOnPage } = await openFiles()
    const statuses: number[] = []
    for (let index = 0; index < 11; index++)
      statuses.push((await sendOnPage('a.bin', new Uint8Array([0, 1, 2]))).status)
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    instance.clock.advance(3_600_000)
    expect((await sendOnPage('a.txt', 'text')).status).toBe(303)
  })

  test('is attached once, and tells a game nothing about staff', async () => {
    const { sendByGame, showAppeal, appealId } = await openFiles()
    const headers = { 'idempotency-key': 'one' }
    const first = await sendByGame('a.txt', 'text', headers)
    const repeated = await sendByGame('a.txt', 'text', headers)
    expect([repeated.status, repeated.body]).toEqual([200, first.body])
    const other = await sendByGame('a.txt', 'other', headers)
    expect(other.body.code).toBe('idempotency_mismatch')
    expect(Object.keys(first.body)).not.toContain('record')
    expect((await showAppeal(appealId)).files).toHaveLength(1)
  })

  test('of another site is refused on the page, and a form that is none too', async () => {
    const { sendOnPage, cookie } = await openFiles()
    expect((await sendOnPage('a.txt', 'text', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await sendOnPage('a.txt', 'text', { cookie: '' })).status).toBe(403)
    const sendRaw = (body: string, type: string) =>
      instance.request('POST', `${PAGE}/file`, {
        body,
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': type },
      })
    expect((await sendRaw('file=1', 'application/x-www-form-urlencoded')).status).toBe(415)
    expect((await sendRaw('--x\r\n', 'multipart/form-data; boundary=x')).status).toBe(400)
  })
})

test('files of players neither fill the case nor are evidence of staff', async () => {
  const { sendByGame, record, workspaceId, act } = await openFiles()
  await sendByGame('a.txt', 'text')
  const limited = await instance.member(
    workspaceId,
    ['moderation.view', 'moderation.ban', 'moderation.edit'],
    10,
    {
      evidenceFromSeverity: 'critical',
    },
  )
  const raised = await act(limited.session, { action: 'edit', id: record.id, severity: 'critical' })
  expect([raised.status, raised.body.limit?.name]).toEqual([403, 'evidenceFromSeverity'])
})
