import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, openAppeals } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** An open appeal of a permanent ban, unless other fields are given. */
async function openAppeal(fields = {}) {
  const desk = await openAppeals(instance)
  const record = await desk.ban(fields)
  const { body } = await desk.submit(record.appealCode)
  const id: string = body.appeal.id
  const decide = (session: string, decision: object) => desk.staff('decide', session, { id, ...decision })
  return { ...desk, record, id, code: record.appealCode as string, decide }
}

describe('a decision', () => {
  test('that accepts lifts the ban in the same step, and says so', async () => {
    const { decide, judge, isBanned, read, code, record, ownerSession, workspaceId, send } =
      await openAppeal()
    const { body } = await decide(judge.session, { decision: 'accepted', message: 'Welcome back.' })
    expect(body.appeal).toMatchObject({
      state: 'accepted',
      effect: 'The ban is lifted.',
      decidedBy: { id: judge.accountId },
    })
    expect(await isBanned()).toBe(false)
    expect((await read(code)).body).toMatchObject({
      ban: { status: 'revoked' },
      appeal: {
        state: 'accepted',
        effect: 'The ban is lifted.',
        messages: [{ from: 'player' }, { from: 'staff', text: 'Welcome back.' }],
      },
    })
    const audit = await instance.request('GET', `/portal/api/audit?workspaceId=${workspaceId}`, {
      session: ownerSession,
    })
    const actions = audit.body.entries.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 3)).toEqual(['moderation.unban', 'appeals.decide', 'appeals.submit'])
    const { body: after } = await instance.request(
      'GET',
      `/api/moderation?workspaceId=${workspaceId}&id=${record.id}`,
      { session: ownerSession },
    )
    expect(after.record).toMatchObject({
      status: 'revoked',
      revokeReason: 'Appeal accepted',
      revokedBy: judge.accountId,
    })
    expect((await decide(judge.session, { decision: 'denied' })).body.error).toBe(
      'This appeal is closed: accepted.',
    )
    expect((await send({ code, action: 'withdraw' })).status).toBe(409)
  })

  test('that reduces shortens the ban, never to the past and never beyond its end', async () => {
    const { decide, judge, isBanned, read, code } = await openAppeal({ durationSeconds: 20 * 86_400 })
    instance.clock.advance(2 * DAY)
    expect((await decide(judge.session, { decision: 'reduced' })).body.details[0].field).toBe(
      'durationSeconds',
    )
    const longer = await decide(judge.session, { decision: 'reduced', durationSeconds: 21 * 86_400 })
    expect(longer.body.details).toEqual([{ field: 'durationSeconds', message: 'must shorten the ban' }])
    const past = await decide(judge.session, { decision: 'reduced', durationSeconds: 86_400 })
    expect([past.status, past.body.code]).toEqual([409, 'conflict'])
    // A rejected decision leaves the appeal open.
    expect((await read(code)).body.appeal.state).toBe('submitted')
    const { body } = await decide(judge.session, { decision: 'reduced', durationSeconds: 7 * 86_400 })
    expect(body.appeal.effect).toMatch(/^The ban is shortened\. It ends on \d+ \w+ \d{4}, \d\d:\d\d UTC\.$/)
    expect(await isBanned()).toBe(true)
    instance.clock.advance(5 * DAY)
    expect(await isBanned()).toBe(false)
    expect((await read(code)).body.appeal.state).toBe('reduced')
  })

  test('that denies begins a cool-down, and a final one is the last word', async () => {
    const { decide, judge, code, read, submit, staff } = await openAppeal()
    const { body } = await decide(judge.session, { decision: 'denied', message: 'No.' })
    expect(body.appeal.effect).toStartWith('The ban stays. It can be appealed again from ')
    expect((await submit(code)).body.code).toBe('appeal_window_closed')
    instance.clock.advance(30 * DAY)
    const next = (await submit(code)).body.appeal.id
    const session = await instance.session(judge.accountId)
    const final = await staff('decide', session, { id: next, decision: 'denied', final: true })
    expect(final.body).toMatchObject({
      appeal: { final: 'true', effect: 'The ban stays. This decision is final.' },
      earlier: [{ state: 'denied' }],
    })
    instance.clock.advance(300 * DAY)
    expect((await submit(code)).body.error).toBe('The decision on this ban is final.')
    expect((await read(code)).body.obstacle).toBe('not_appealable')
  })

  test('that denies promises no further appeal that the window of the ban does not allow', async () => {
    const { ban, configure, judge, read, staff, submit } = await openAppeals(instance)
    await configure({ windowDays: 14, cooldownDays: 30 })
    const { appealCode } = await ban()
    const { id } = (await submit(appealCode)).body.appeal
    const session = await instance.session(judge.accountId)
    const { body } = await staff('decide', session, { id, decision: 'denied' })
    expect(body.appeal.effect).toBe('The ban stays, and cannot be appealed again.')
    expect((await read(appealCode)).body).toMatchObject({
      obstacle: 'not_appealable',
      obstacleMessage: 'This ban cannot be appealed again.',
    })
    instance.clock.advance(30 * DAY)
    expect((await submit(appealCode)).body.error).toStartWith('This ban could be appealed until ')
  })

  test('that denies after the window of the ban promises no further appeal, also without a cool-down', async () => {
    const { ban, configure, judge, staff, submit } = await openAppeals(instance)
    await configure({ windowDays: 14, cooldownDays: 0 })
    const { id } = (await submit((await ban()).appealCode)).body.appeal
    instance.clock.advance(15 * DAY)
    const session = await instance.session(judge.accountId)
    const { body } = await staff('decide', session, { id, decision: 'denied' })
    expect(body.appeal.effect).toBe('The ban stays, and cannot be appealed again.')
  })

  test('is never that of the person who banned, unless the workspace allows it', async () => {
    const { decide, mod, viewer, configure, show, id } = await openAppeal()
    const own = await decide(mod.session, { decision: 'accepted' })
    expect([own.status, own.body.reason]).toEqual([403, 'own_decision'])
    expect(await show(id, mod.session)).toMatchObject({ canDecide: 'false', isOwnBan: 'true' })
    const unpermitted = await decide(viewer.session, { decision: 'accepted' })
    expect([unpermitted.status, unpermitted.body.permission]).toEqual([403, 'appeals.decide'])
    await configure({ allowOwnDecision: true })
    expect((await decide(mod.session, { decision: 'accepted' })).status).toBe(200)
  })

  test('waits in the inbox of those who may make it', async () => {
    const { act, submit, send, configure, mod, judge, ownerSession, id, code, workspaceId } =
      await openAppeal()
    await send({ code, action: 'reply', message: 'Please answer.' })
    const { body } = await act(ownerSession, { action: 'ban', userId: '262', reason: 'Exploiting' })
    await configure({ questions: ['What happened?'] })
    const answered = { message: 'Sorry.', answers: ['I had lost a bet.'] }
    const later: string = (await submit(body.record.appealCode, answered)).body.appeal.id
    const older = { ids: [id], texts: ['It was my brother.'], count: '1' }
    const newer = { ids: [later], texts: ['I had lost a bet.'], count: '1' }
    // Who waits longest is first.
    const both = { ids: [id, later], texts: ['It was my brother.', 'I had lost a bet.'], count: '2' }
    const readInbox = async (session: string, limit = 10) => {
      const get = async (path: string, query = '') =>
        (await instance.request('GET', `/portal/api/${path}?workspaceId=${workspaceId}${query}`, { session }))
          .body
      const { items } = await get('inbox', `&source=appeals&limit=${limit}`)
      const { counts } = await get('inbox/counts')
      return {
        ids: items.map((item: { id: string }) => item.id),
        texts: items.map((item: { text: string | null }) => item.text),
        count: counts.find(({ source }: { source: string }) => source === 'appeals').count,
      }
    }
    // What the player wrote: the first answer, or the first message if the form has no questions.
    expect(await readInbox(judge.session)).toEqual(both)
    expect(await readInbox(mod.session)).toEqual(newer)
    // The page of one item begins with the appeal of the reader's own ban, which is left out.
    expect(await readInbox(mod.session, 1)).toEqual(newer)
    expect(await readInbox(ownerSession)).toEqual(older)
    await configure({ allowOwnDecision: true })
    expect(await readInbox(mod.session)).toEqual(both)
  })

  test('is made once, whatever races, and not over the claim of another person', async () => {
    const { decide, judge, staff, id, workspaceId, ownerSession, read, code } = await openAppeal()
    const other = await instance.member(workspaceId, ['appeals.view', 'appeals.decide'])
    expect((await staff('claim', judge.session, { id })).body.appeal).toMatchObject({
      state: 'under_review',
      claim: { accountId: judge.accountId },
    })
    expect((await read(code)).body.appeal.state).toBe('under_review')
    const blocked = await decide(other.session, { decision: 'accepted' })
    expect([blocked.status, blocked.body.code]).toEqual([409, 'conflict'])
    instance.clock.advance(15 * 60_000)
    const results = await Promise.all(
      [judge.session, other.session, ownerSession, other.session].map((session, index) =>
        decide(session, { decision: index % 2 === 0 ? 'denied' : 'accepted' }),
      ),
    )
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

test('internal messages, names of staff and the reason for lifting are in no response to the player', async () => {
  const desk = await openAppeals(instance)
  const planted = ['PlantedNote', 'PlantedComment', 'PlantedEvidence']
  const record = await desk.ban({ evidence: 'https://example.com/PlantedEvidence' })
  await desk.act(desk.ownerSession, { action: 'comment', id: record.id, value: 'PlantedComment' })
  const { appeal } = (await desk.submit(record.appealCode)).body
  await desk.staff('message', desk.viewer.session, { id: appeal.id, text: 'PlantedNote' })
  const forbidden = await desk.staff('message', desk.viewer.session, {
    id: appeal.id,
    text: 'Hello',
    internal: false,
  })
  expect([forbidden.status, forbidden.body.permission]).toEqual([403, 'appeals.decide'])
  await desk.staff('message', desk.judge.session, {
    id: appeal.id,
    text: 'Which game was it?',
    internal: false,
  })
  await desk.send({ code: record.appealCode, action: 'reply', message: 'The first one.' })
  const { messages } = await desk.show(appeal.id)
  expect(messages).toMatchObject([
    { from: 'player', internal: 'false' },
    { from: 'staff', internal: 'true', text: 'PlantedNote' },
    { from: 'staff', internal: 'false' },
    { from: 'player', text: 'The first one.', internal: 'false' },
  ])
  const names = messages.flatMap(
    ({ author }: { author: { username: string } | null }) => author?.username ?? [],
  )
  await desk.staff('decide', desk.judge.session, {
    id: appeal.id,
    decision: 'denied',
    message: 'Not this time.',
  })
  const { text, body } = await desk.read(record.appealCode)
  expect(body.appeal.messages.map((message: { text: string }) => message.text)).toEqual([
    'It was my brother.',
    'Which game was it?',
    'The first one.',
    'Not this time.',
  ])
  for (const word of [...planted, ...names, desk.judge.accountId, desk.mod.accountId, record.actorUsername])
    expect(text).not.toContain(word)
})

test('statistics count what is open, and how and how fast appeals were decided', async () => {
  const desk = await openAppeals(instance)
  const ids: string[] = []
  for (const userId of ['1', '2', '3', '4']) {
    const { appealCode } = await desk.ban({ userId })
    ids.push((await desk.submit(appealCode)).body.appeal.id)
  }
  for (const [index, decision] of ['accepted', 'denied', 'denied'].entries()) {
    instance.clock.advance(60_000)
    await desk.staff('decide', desk.judge.session, { id: ids[index], decision })
  }
  const path = `/portal/api/appeals/statistics?workspaceId=${desk.workspaceId}`
  const { body } = await instance.request('GET', path, { session: desk.viewer.session })
  expect(body).toEqual({
    open: '1',
    decided: '3',
    accepted: '1',
    reduced: '0',
    denied: '2',
    medianSeconds: '120',
  })
  expect((await desk.list('&state=denied')).map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]])
  expect((await desk.list('&state=all&userId=4')).map(({ id }: { id: string }) => id)).toEqual([ids[3]])
  await desk.staff('claim', desk.viewer.session, { id: ids[3] })
  expect(await desk.list('&mine=true')).toMatchObject([
    { id: ids[3], claim: { accountId: desk.viewer.accountId } },
  ])
  expect(await desk.list('&mine=true', desk.judge.session)).toEqual([])
})

test('whatever staff do with an appeal is rejected if it has changed since', async () => {
  const { staff, judge, id, send, code, show } = await openAppeal()
  await send({ code, action: 'reply', message: 'And my sister.' })
  const before = await show(id)
  const requests = [
    ['claim', {}],
    ['message', { text: 'Read it all.' }],
    ['message', { text: 'Who else?', internal: false }],
    ['release', {}],
    ['decide', { decision: 'denied' }],
  ] as const
  for (const [verb, fields] of requests) {
    const stale = await staff(verb, judge.session, { id, ...fields }, { 'if-match': '"1"' })
    expect([verb, stale.status, stale.body.code]).toEqual([verb, 412, 'version_mismatch'])
  }
  expect(await show(id)).toEqual(before)
  for (const [verb, fields] of requests) {
    const { version } = (await show(id)).appeal
    const { status } = await staff(verb, judge.session, { id, ...fields }, { 'if-match': `"${version}"` })
    expect([verb, status]).toEqual([verb, 200])
  }
})
