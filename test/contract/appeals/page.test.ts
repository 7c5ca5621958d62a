import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openAppeals, PAGE, readCookie, sendForm } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const WRONG = '00000-00000'
const FOREIGN = { headers: { 'sec-fetch-site': 'cross-site' } }

/** Enters a code. @returns how the page shows the ban from then on */
async function openPage(code: string) {
  const response = await sendForm(instance, { action: 'open', code }, { from: '203.0.113.250' })
  expect([response.status, response.headers.get('location')]).toEqual([303, PAGE])
  const cookie = readCookie(response.headers)
  return { cookie, show: () => instance.request('GET', PAGE, { headers: { cookie } }) }
}

describe('the page', () => {
  test('runs no script, loads nothing, and its response is stored nowhere', async () => {
    const { ban } = await openAppeals(instance)
    const { show } = await openPage((await ban()).appealCode)
    for (const { headers, text, status } of [await instance.request('GET', PAGE), await show()]) {
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy.replace(/nonce-[\w+/=]+/, 'nonce')).toBe(
        "default-src 'none'; style-src 'nonce'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(text).not.toContain('<script')
    }
  })

  test('escapes everything that players and staff write', async () => {
    const { ban, configure } = await openAppeals(instance)
    const attack = `"'><img src=x onerror=alert(1)>&amp;`
    await configure({ introduction: `intro${attack}`, questions: [`question${attack}`] })
    const record = await ban({ reason: `reason${attack}`, userUsername: `n${attack}` })
    const { cookie, show } = await openPage(record.appealCode)
    expect((await show()).text).toContain('intro&quot;&#x27;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;amp;')
    const rejected = await sendForm(instance, { action: 'submit', message: `text${attack}` }, { cookie })
    expect(rejected.status).toBe(400)
    expect(rejected.text).toContain('Your appeal must answer question 1: question')
    expect(rejected.text).toContain('text&quot;&#x27;&gt;&lt;img')
    const fields = { action: 'submit', message: `text${attack}`, answer1: `answer${attack}` }
    expect((await sendForm(instance, fields, { cookie })).status).toBe(303)
    for (const { text } of [rejected, await show()]) expect(text).not.toMatch(/<img|onerror=alert\(1\)>/)
  })

  test('submits each answer as it was entered, also one that is written like an array', async () => {
    const { ban, configure, read } = await openAppeals(instance)
    await configure({ questions: ['Why were you banned?', 'Who was it? (optional)'] })
    const { appealCode } = await ban()
    const { cookie } = await openPage(appealCode)
    const fields = { action: 'submit', message: 'Please', answer1: '["Because"]', answer2: 'Me' }
    expect((await sendForm(instance, fields, { cookie })).status).toBe(303)
    const { answers } = (await read(appealCode)).body.appeal
    expect(answers.map(({ answer }: { answer: string }) => answer)).toEqual(['["Because"]', 'Me'])
  })

  test('changes nothing for another site, or without the code', async () => {
    const { ban, read } = await openAppeals(instance)
    const { appealCode } = await ban()
    const { cookie } = await openPage(appealCode)
    const fields = { action: 'submit', message: 'Forged' }
    const forged = await sendForm(instance, fields, { cookie, ...FOREIGN })
    expect([forged.status, forged.body.reason]).toEqual([403, 'cross_site_request'])
    expect((await sendForm(instance, fields)).status).toBe(403)
    const tampered = cookie.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
    expect((await sendForm(instance, fields, { cookie: tampered })).status).toBe(403)
    expect((await sendForm(instance, fields, { cookie: cookie.replace(/=\d+/, '=1') })).status).toBe(403)
    instance.clock.advance(12 * 3_600_000)
    expect((await sendForm(instance, fields, { cookie })).status).toBe(403)
    expect((await read(appealCode)).body.appeal).toBeNull()
  })

  test('receives nothing while the endpoint is off or the workspace is archived, and still shows the ban', async () => {
    const { ban, ownerSession, workspaceId, read } = await openAppeals(instance)
    const { appealCode } = await ban()
    const { cookie, show } = await openPage(appealCode)
    const control = { workspaceId, endpoint: 'moderation', mode: 'read_only', message: 'Back at noon.' }
    await instance.request('POST', '/portal/api/endpoint-controls', { session: ownerSession, body: control })
    expect((await show()).text).toContain('Back at noon.')
    expect((await show()).text).not.toContain('Submit the appeal')
    const rejected = await sendForm(instance, { action: 'submit', message: 'Please' }, { cookie })
    expect([rejected.status, rejected.text.includes('Exploiting')]).toEqual([409, true])
    await instance.request('POST', '/portal/api/endpoint-controls', {
      session: ownerSession,
      body: { ...control, mode: 'on' },
    })
    expect((await read(appealCode)).body.appeal).toBeNull()
    await instance.request('POST', '/api/workspaces', {
      session: ownerSession,
      body: { action: 'archive', id: workspaceId },
    })
    expect((await sendForm(instance, { action: 'submit', message: 'Please' }, { cookie })).status).toBe(409)
  })

  test('rejects what is not a form, and a field that is sent twice', async () => {
    expect((await instance.request('POST', PAGE, { body: { action: 'open' } })).status).toBe(415)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const twice = await instance.request('POST', PAGE, { body: 'code=1&code=2', headers })
    expect(twice.body.details).toEqual([{ field: 'code', message: 'must be sent once' }])
  })
})

describe('a rejected text stays on the page', () => {
  const attack = `</textarea><img src=x onerror=alert(1)>`
  const message = `Long story${attack}`
  const answer1 = `Because${attack}`
  const toPattern = (text: string) => RegExp.escape(Bun.escapeHTML(text))
  const readOnly = (label: string, text: string) =>
    RegExp(`<label for="(unsent\\d)">${label}</label>\\s*<textarea id="\\1" readonly>${toPattern(text)}<`)
  const inForm = (text: string) =>
    RegExp(`<textarea[^>]* name="message"[^>]* required>${toPattern(text)}</textarea>`)

  /** A page of a ban with a question, and the open appeal if there is one. */
  async function openBan({ isAppealed }: { readonly isAppealed: boolean }) {
    const desk = await openAppeals(instance)
    await desk.configure({ questions: ['Why? (optional)'] })
    const { appealCode } = await desk.ban()
    const { cookie } = await openPage(appealCode)
    const appeal = isAppealed ? (await desk.submit(appealCode)).body.appeal : null
    const send = async (fields: Readonly<Record<string, string>>) => {
      const { status, text } = await sendForm(instance, fields, { cookie })
      expect(text).not.toContain('<img')
      return { status, text }
    }
    return { ...desk, appealCode, appeal, send }
  }

  test('in the field of a reply, if it can be sent after a correction or one message was too many', async () => {
    const { send } = await openBan({ isAppealed: true })
    const pasted = await send({ action: 'reply', message: `${message}\u0007` })
    expect(pasted.status).toBe(400)
    expect(pasted.text).toMatch(inForm(`${message}\u0007`))
    let reply = await send({ action: 'reply', message })
    while (reply.status === 303) reply = await send({ action: 'reply', message })
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('You can write at most')
    expect(reply.text).toMatch(inForm(message))
    expect(reply.text).not.toContain('Not sent')
  })

  test('as a text that was not sent, if staff decided meanwhile', async () => {
    const { send, staff, judge, appeal } = await openBan({ isAppealed: true })
    await staff('decide', judge.session, { id: appeal.id, decision: 'denied' })
    const { status, text } = await send({ action: 'reply', message })
    expect(status).toBe(409)
    expect(text).toContain('Not sent')
    expect(text).toMatch(readOnly('Your message', message))
    expect(text).not.toMatch(inForm(message))
  })

  test('as a text that was not sent, if the game sent an appeal meanwhile', async () => {
    const { send, submit, appealCode } = await openBan({ isAppealed: false })
    await submit(appealCode)
    const { status, text } = await send({ action: 'submit', message, answer1 })
    expect(status).toBe(409)
    expect(text).toMatch(readOnly('Your message', message))
    expect(text).toMatch(readOnly('Your answer 1', answer1))
    expect(text).toMatch(inForm(''))
  })

  test('as a text that was not sent, if Moderation is read-only', async () => {
    const { send, ownerSession, workspaceId } = await openBan({ isAppealed: false })
    const body = { workspaceId, endpoint: 'moderation', mode: 'read_only' }
    await instance.request('POST', '/portal/api/endpoint-controls', { session: ownerSession, body })
    const { status, text } = await send({ action: 'submit', message, answer1 })
    expect(status).toBe(409)
    expect(text).toMatch(readOnly('Your message', message))
    expect(text).toMatch(readOnly('Your answer 1', answer1))
  })

  test('as a text that was not sent, if the code was entered too long ago', async () => {
    const { send } = await openBan({ isAppealed: false })
    instance.clock.advance(12 * 3_600_000)
    const { status, text } = await send({ action: 'submit', message, answer1 })
    expect(status).toBe(403)
    expect(text).toContain('Appeal code')
    expect(text).toMatch(readOnly('Your message', message))
    expect(text).toMatch(readOnly('Your answer 1', answer1))
  })

  test('also the answer to a question that was removed meanwhile', async () => {
    const { send, configure } = await openBan({ isAppealed: false })
    await configure({ questions: [] })
    const { status, text } = await send({ action: 'submit', message, answer1 })
    expect(status).toBe(400)
    expect(text).toMatch(inForm(message))
    expect(text).toMatch(readOnly('Your answer 1', answer1))
    expect(text).not.toMatch(readOnly('Your message', message))
  })
})

describe('guessing a code', () => {
  const guess = (from: string, code = WRONG) => sendForm(instance, { action: 'open', code }, { from })

  test('stops after 10 misses from an address, for a correct code too, and counts an IPv6 network as one', async () => {
    instance.clock.advance(86_400_000)
    const { ban } = await openAppeals(instance)
    const { appealCode } = await ban()
    const guesses = await Promise.all(Array.from({ length: 25 }, () => guess('203.0.113.7')))
    expect(guesses.map(({ status }) => status).sort()).toEqual([
      ...Array(10).fill(404),
      ...Array(15).fill(429),
    ])
    const blocked = await guess('203.0.113.7', appealCode)
    expect([blocked.status, Number(blocked.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(blocked.text).toContain('Too many failed attempts')
    expect((await guess('203.0.113.8', appealCode)).status).toBe(303)
    for (let host = 0; host < 40; host++) await guess(`2001:db8:0:${host.toString(16)}::1`)
    expect((await guess('2001:db8:0:ffff::1', appealCode)).status).toBe(429)
  })

  test('stops after 1000 misses in an hour from all addresses together, and a browser that knows a code goes on', async () => {
    instance.clock.advance(86_400_000)
    const { ban, game, workspaceId } = await openAppeals(instance)
    const { appealCode } = await ban()
    const { cookie } = await openPage(appealCode)
    const statuses: number[] = []
    for (let address = 0; address < 110; address++) {
      const ten = await Promise.all(Array.from({ length: 10 }, () => guess(`198.51.${address}.1`)))
      statuses.push(...ten.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(1000)
    expect((await guess('203.0.113.99', appealCode)).status).toBe(429)
    const known = await sendForm(instance, { action: 'submit', message: 'Please' }, { cookie })
    expect(known.status).toBe(303)
    // Games have a limit of their own.
    const read = (code: string) =>
      instance.request('GET', `/api/appeals?workspaceId=${workspaceId}&code=${code}`, { key: game })
    expect((await read(appealCode)).status).toBe(200)
    for (let miss = 0; miss < 100; miss++) expect((await read(WRONG)).status).toBe(404)
    expect((await read(appealCode)).status).toBe(429)
    instance.clock.advance(3_600_001)
    expect((await guess('203.0.113.99', appealCode)).status).toBe(303)
  })
})
