import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, openAppeals } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('the code of a ban', () => {
  test('is in the response to the ban and in every ban check, with a text for the player', async () => {
    const { workspaceId, key, act, ban, mod } = await openAppeals(instance)
    const { appealCode, message } = await ban()
    expect(appealCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(message).toBe(
      `You are banned permanently. Reason: Exploiting. You can appeal. Appeal code: ${appealCode}`,
    )
    const query = `workspaceId=${workspaceId}&banList=true&userId=261`
    const { body } = await instance.request('GET', `/api/moderation?${query}`, { key })
    expect(body.bans).toMatchObject([{ appealCode, message }])
    const check = await instance.request('POST', '/api/moderation/check', {
      key,
      body: { workspaceId, userIds: '261' },
    })
    expect(check.body.bans).toMatchObject([{ appealCode, message }])
    const snapshot = await instance.request('GET', `/api/changes/snapshot?workspaceId=${workspaceId}`, {
      key,
    })
    expect(snapshot.body.sanctions).toMatchObject([{ appealCode }])
    await act(mod.session, { action: 'ban', userId: '261', reason: 'Again' })
    const { body: next } = await instance.request('GET', `/api/moderation?${query}`, { key })
    expect(next.bans[0].appealCode).not.toBe(appealCode)
  })

  test('is entered forgivingly, and those of other workspaces do not exist', async () => {
    const { ban, read } = await openAppeals(instance)
    const other = await openAppeals(instance)
    const { appealCode } = await ban()
    const typed = ` ${appealCode.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replace('-', ' – ')} `
    expect((await read(typed)).body.ban).toMatchObject({ appealCode, reason: 'Exploiting', status: 'active' })
    const foreign = await other.read(appealCode)
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
    expect((await read('12345')).body.details[0].field).toBe('code')
  })

  test('does not exist while the workspace receives no appeals, or for anything but a ban', async () => {
    const { workspaceId, key, ban, configure, read, submit } = await openAppeals(instance)
    const { appealCode } = await ban()
    await configure({ enabled: false })
    const { appealCode: none, message } = await ban({ userId: '8' })
    expect([none, message]).toEqual([null, 'You are banned permanently. Reason: Exploiting.'])
    const rejected = await submit(appealCode)
    expect([rejected.status, rejected.body.code]).toEqual([409, 'not_appealable'])
    expect((await read(appealCode)).body).toMatchObject({ canAppeal: 'false', obstacle: 'not_appealable' })
    const body = { workspaceId, action: 'mute', userId: '261', reason: 'Spam!', durationSeconds: 60 }
    const mute = await instance.request('POST', '/api/moderation', { key, body })
    expect(mute.body.record.appealCode).toBeNull()
    expect(mute.body.record.message).toMatch(
      /^You are muted until \d+ \w+ \d{4}, \d\d:\d\d UTC\. Reason: Spam!$/,
    )
  })
})

describe('a ban that ends before it can be appealed', () => {
  test('has no code and promises no appeal, until it is extended', async () => {
    const { workspaceId, key, ban, configure, read, submit } = await openAppeals(instance)
    await configure({ afterDays: 7 })
    const long = await ban({ userId: '8', durationSeconds: 8 * 86_400 })
    expect(long.message).toContain('You can appeal from ')
    const { id, appealCode, message } = await ban({ durationSeconds: 3600 })
    expect([appealCode, message]).toEqual([null, expect.stringMatching(/ UTC\. Reason: Exploiting\.$/)])
    const query = `workspaceId=${workspaceId}&banList=true&userId=261`
    const { body } = await instance.request('GET', `/api/moderation?${query}`, { key })
    expect(body.bans).toMatchObject([{ appealCode, message }])
    const checked = { key, body: { workspaceId, userIds: '261' } }
    const check = await instance.request('POST', '/api/moderation/check', checked)
    expect(check.body.bans).toMatchObject([{ appealCode, message }])
    const extend = (value: number) =>
      instance.request('POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'extend', id, value },
      })
    const extended = await extend(8 * 86_400)
    expect(extended.body.record.message).toContain('You can appeal from ')
    await extend(-8 * 86_400)
    // The player may have the code from before.
    const code = extended.body.record.appealCode
    const { body: shortened } = await read(code)
    expect(shortened).toMatchObject({ canAppeal: 'false', obstacle: 'not_appealable' })
    expect((await submit(code)).body.error).toMatch(
      /^This ban ends on \d+ \w+ \d{4}, \d\d:\d\d UTC, before it can be appealed\.$/,
    )
  })

  test('is named in the denial of its appeal, and has ended at the minute that the player reads', async () => {
    const { ban, isBanned, judge, message, staff, submit } = await openUnevenBan()
    const { appealCode } = ban
    const { id } = (await submit(appealCode)).body.appeal
    const { body } = await staff('decide', judge.session, { id, decision: 'denied' })
    expect(body.appeal.effect).toMatch(
      /^The ban stays\. It ends on \d+ \w+ \d{4}, \d\d:\d\d UTC, and cannot be appealed again before\.$/,
    )
    expect((await submit(appealCode)).body.code).toBe('not_appealable')
    const [, end = ''] = /until (.*) UTC\. Reason/.exec(message) ?? []
    instance.clock.advance(Date.parse(`${end} UTC`) - instance.clock.now())
    expect(await isBanned()).toBe(false)
  })
})

/** A ban of three days that does not end at a full minute. */
async function openUnevenBan() {
  const fixture = await openAppeals(instance)
  const ban = await fixture.ban({ durationSeconds: 3 * 86_400 + 41 })
  return { ...fixture, ban, message: ban.message as string }
}

describe('submitting', () => {
  test('needs every required answer, and a ban has one open appeal, whatever races', async () => {
    const { ban, configure, read, send, submit, show, list } = await openAppeals(instance)
    await configure({
      questions: ['Why were you banned?', 'Who was it? (optional)'],
      introduction: 'Be honest.',
    })
    const { appealCode } = await ban()
    expect((await read(appealCode)).body.form).toEqual({
      introduction: 'Be honest.',
      questions: [
        { text: 'Why were you banned?', required: 'true' },
        { text: 'Who was it?', required: 'false' },
      ],
    })
    const incomplete = await send({ code: appealCode, answers: ['', 'Me'] })
    expect(incomplete.body.details).toEqual([
      { field: 'message', message: 'is required' },
      { field: 'answers', message: 'must answer question 1: Why were you banned?' },
    ])
    const answers = ['I cheated, "a bit"\n<b>']
    const results = await Promise.all(Array.from({ length: 8 }, () => submit(appealCode, { answers })))
    expect(results.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(new Set(results.map(({ body }) => body.code))).toEqual(new Set([undefined, 'already_appealed']))
    const { appeal } = (await read(appealCode)).body
    expect(appeal).toMatchObject({
      state: 'submitted',
      answers: [{ question: 'Why were you banned?', answer: answers[0] }],
      messages: [{ from: 'player', text: 'It was my brother.' }],
    })
    expect(await list()).toMatchObject([{ id: appeal.id, userId: '261', state: 'submitted', claim: null }])
    expect((await show(appeal.id)).answers).toEqual(appeal.answers)
  })

  test.each([
    ['an array', ['Because', 'Me'], ['Because', 'Me']],
    ['a JSON array as a string', '["Because","Me"]', ['Because', 'Me']],
    ['a string, which is the first answer', '[sic] "Because"', ['[sic] "Because"']],
  ])('accepts answers as %s', async (_, answers, expected) => {
    const { ban, configure, submit } = await openAppeals(instance)
    await configure({ questions: ['Why were you banned?', 'Who was it? (optional)'] })
    const { body } = await submit((await ban()).appealCode, { answers })
    expect(body.appeal.answers.map(({ answer }: { answer: string }) => answer)).toEqual(expected)
  })

  test('is possible within its window only', async () => {
    const { ban, configure, read, submit } = await openAppeals(instance)
    await configure({ afterDays: 2, windowDays: 3 })
    const start = instance.clock.now()
    const { appealCode, message, appealableFrom, appealableUntil } = await ban()
    const terms = [2, 5].map((days) => new Date(start + days * DAY).toISOString())
    expect([appealableFrom, appealableUntil]).toEqual(terms)
    expect(message).toMatch(/You can appeal from \d+ \w+ \d{4}, .* UTC until .* UTC\. Appeal code: /)
    const early = await submit(appealCode)
    expect([early.status, early.body.code]).toEqual([409, 'appeal_window_closed'])
    expect(early.body.error).toStartWith('This ban can be appealed from ')
    // Later settings do not change the terms of a ban.
    await configure({ afterDays: 0, windowDays: null })
    expect((await read(appealCode)).body).toMatchObject({
      obstacle: 'appeal_window_closed',
      appealableFrom: expect.any(String),
      appealableUntil: expect.any(String),
    })
    instance.clock.advance(5 * DAY)
    expect((await submit(appealCode)).body.error).toStartWith('This ban could be appealed until ')
    const { appealCode: inTime } = await ban({ userId: '9' })
    expect((await submit(inTime)).status).toBe(200)
  })

  test('follows the template of the ban: whether, from when, and which reason the player reads', async () => {
    const { act, configure, mod, ownerSession, read, submit, workspaceId } = await openAppeals(instance)
    await configure({ afterDays: 3 })
    const createTemplate = async (fields: object) =>
      (
        await instance.request('POST', '/api/moderation/templates', {
          session: ownerSession,
          body: { workspaceId, publicReason: 'You broke rule 3.', ...fields },
        })
      ).body.template.id
    const banWith = async (templateId: string, userId: string) =>
      (await act(mod.session, { action: 'ban', userId, templateId, reason: 'PlantedReason' })).body.record
    const never = await banWith(await createTemplate({ name: 'Never', appealable: false }), '1')
    expect([never.appealCode, never.message]).toEqual([
      null,
      'You are banned permanently. Reason: You broke rule 3.',
    ])
    const later = await banWith(await createTemplate({ name: 'Later', appealAfterDays: 1 }), '2')
    expect((await submit(later.appealCode)).body.code).toBe('appeal_window_closed')
    instance.clock.advance(DAY)
    expect((await submit(later.appealCode)).status).toBe(200)
    const { text, body } = await read(later.appealCode)
    expect([body.ban.reason, text.includes('PlantedReason')]).toEqual(['You broke rule 3.', false])
  })

  test('is possible again after a withdrawal, and not for ever', async () => {
    const { ban, send, submit, read } = await openAppeals(instance)
    const { appealCode: code } = await ban()
    for (let round = 0; round < 10; round++) {
      expect((await submit(code)).status).toBe(200)
      expect((await send({ code, action: 'withdraw' })).body.appeal.state).toBe('withdrawn')
    }
    expect((await submit(code)).body.code).toBe('not_appealable')
    expect((await send({ code, action: 'reply', message: 'Hello?' })).body.code).toBe('conflict')
    expect((await read(code)).body.appeal.canReply).toBe('false')
  })
})

describe('an open appeal', () => {
  test('expires with its ban, and is superseded by the next one', async () => {
    const { workspaceId, ownerSession, act, ban, list, mod, read, submit, show } = await openAppeals(instance)
    const first = await ban({ durationSeconds: 3600 })
    await submit(first.appealCode)
    const second = await ban({ userId: '8' })
    await submit(second.appealCode)
    const third = await ban({ userId: '9' })
    const { id } = (await submit(third.appealCode)).body.appeal
    await act(mod.session, { action: 'ban', userId: '8', reason: 'More' })
    await act(ownerSession, { action: 'unban', userId: '9' })
    instance.clock.advance(3_600_000)
    const states = []
    for (const { appealCode } of [first, second, third])
      states.push((await read(appealCode)).body.appeal.state)
    expect(states).toEqual(['expired', 'superseded', 'expired'])
    expect(await list()).toEqual([])
    const listStates = async (state: string) =>
      (await list(`&state=${state}`)).map((appeal: { state: string }) => appeal.state)
    expect(await listStates('expired')).toEqual(['expired', 'expired'])
    expect(await listStates('superseded')).toEqual(['superseded'])
    expect(await show(id)).toMatchObject({ appeal: { state: 'expired' }, canDecide: 'false' })
    const again = await submit(first.appealCode)
    expect([again.body.code, again.body.error]).toEqual(['not_appealable', 'This ban is no longer in force.'])
    const query = `/portal/api/appeals/statistics?workspaceId=${workspaceId}`
    expect((await instance.request('GET', query, { session: ownerSession })).body.open).toBe('0')
  })

  test('follows a ban that is made longer', async () => {
    const { ownerSession, act, ban, read, submit } = await openAppeals(instance)
    const { id, appealCode } = await ban({ durationSeconds: 3600 })
    await submit(appealCode)
    await act(ownerSession, { action: 'extend', id, value: 3600 })
    instance.clock.advance(3_600_001)
    expect((await read(appealCode)).body.appeal.state).toBe('submitted')
  })
})
