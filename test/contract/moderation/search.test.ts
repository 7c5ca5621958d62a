import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { insertRecordCopies } from '../../support/record-copies.ts'
import { listIds, type ModerationFixture, openModerationFixture, SECOND } from './fixture.ts'

let instance: Instance
let fixture: ModerationFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openModerationFixture(instance)
})
afterAll(() => instance.close())

const HOUR = 3600 * SECOND

const LISTS = { bans: { banList: 'true' }, history: { banHistory: 'true' }, records: {} } as const

/** Searches each list. @returns the cases found, newest first, by list */
async function searchLists(query: Record<string, string>) {
  const found: Record<string, string[]> = {}
  for (const [name, list] of Object.entries(LISTS)) {
    const { status, body } = await fixture.get({ ...list, ...query })
    expect({ status, nextCursor: body.nextCursor }).toEqual({ status: 200, nextCursor: null })
    found[name] = body[name].map(({ caseNumber }: { caseNumber: string }) => caseNumber)
  }
  return found
}

describe('a list of records', () => {
  test('is filtered by one or several actions', async () => {
    for (const action of ['note', 'warn', 'kick', 'mute', 'ban'])
      await fixture.actOk({ action, userId: '1', reason: 'x' })
    expect(await searchLists({ action: 'ban' })).toEqual({ bans: ['5'], history: ['5'], records: ['5'] })
    expect(await searchLists({ action: 'note,mute,ban' })).toEqual({
      bans: ['5'],
      history: ['5'],
      records: ['5', '4', '1'],
    })
    expect(await searchLists({ action: 'kick', userId: '1', severity: 'medium' })).toEqual({
      bans: [],
      history: [],
      records: ['3'],
    })
    expect((await fixture.expectReadRejected({ action: 'ban,unban' })).fields).toEqual(['action'])
  })

  test('of active mutes contains a mute until it expires, is lifted or replaced', async () => {
    const mutes = async (query: Record<string, string> = {}) =>
      (await fixture.get({ action: 'mute', status: 'active', ...query })).body.records.map(
        ({ userId, caseNumber }: Record<string, string>) => `${userId}: ${caseNumber}`,
      )
    const mute = (userId: string, fields: object = {}) =>
      fixture.actOk({ action: 'mute', userId, reason: 'Spam', ...fields })
    await mute('1', { durationSeconds: 60 })
    await mute('2')
    await mute('2')
    await mute('3')
    await fixture.ban('4')
    expect(await mutes()).toEqual(['3: 4', '2: 3', '1: 1'])
    expect(await mutes({ userId: '2,4' })).toEqual(['2: 3'])
    expect(await mutes({ limit: '1' })).toEqual(['3: 4'])
    await fixture.actOk({ action: 'unmute', userId: '3' })
    instance.clock.advance(60 * SECOND)
    expect(await mutes()).toEqual(['2: 3'])
  })

  test('is filtered by time: from is included, to is not', async () => {
    const times: string[] = []
    for (let index = 0; index < 4; index++) {
      times.push(fixture.timeFromNow())
      await fixture.ban(`${index}`)
      instance.clock.advance(HOUR * 2)
    }
    const [, second = '', third = '', last = ''] = times
    const of = (...cases: string[]) => ({ bans: cases, history: cases, records: cases })
    expect(await searchLists({ from: second })).toEqual(of('4', '3', '2'))
    expect(await searchLists({ to: third })).toEqual(of('2', '1'))
    expect(await searchLists({ from: second, to: last })).toEqual(of('3', '2'))
    expect(await searchLists({ from: second, to: last, userId: '2,3' })).toEqual(of('3'))
    expect(await searchLists({ from: fixture.timeFromNow() })).toEqual(of())
  })

  test('is searched for a text in reason, revoke reason and comments, ignoring case and accents', async () => {
    await fixture.ban('1', { reason: 'Flew through the CAFÉ wall' })
    const commented = await fixture.ban('2')
    await fixture.actOk({ action: 'comment', id: commented.id, value: 'Seen at the Café too' })
    const revoked = await fixture.actOk({ action: 'warn', userId: '3', reason: 'x' })
    await fixture.actOk({ action: 'revoke', id: revoked.id, reason: 'It was another café' })
    await fixture.actOk({ action: 'note', userId: '4', reason: 'Cafeteria', evidence: 'no' })
    expect(await searchLists({ text: 'cafe' })).toEqual({
      bans: ['2', '1'],
      history: ['2', '1'],
      records: ['4', '3', '2', '1'],
    })
    expect((await searchLists({ text: 'CAFÉ ' })).records).toEqual(['4', '3', '2', '1'])
    expect((await searchLists({ text: 'café wall' })).records).toEqual(['1'])
    expect((await searchLists({ text: 'cafe', action: 'ban', userId: '2' })).records).toEqual(['2'])
    expect((await searchLists({ text: 'cafe', userId: '1,3' })).bans).toEqual(['1'])
    expect((await searchLists({ text: '%' })).records).toEqual([])
  })

  test('is searched for a text as it is shown, with what was copied with it', async () => {
    await fixture.ban('1', { reason: 'Exploits\nand  insults\u00a0people' })
    await fixture.ban('2', { reason: 'Exploits' })
    for (const text of ['exploits and insults', 'and insults people', 'in\u00adsults', 'Exploits\u200b and'])
      expect((await searchLists({ text })).records, text).toEqual(['1'])
  })

  test('is searched for a text without letters that a keyboard may lack', async () => {
    await fixture.ban('1', { reason: 'Blockierte die Straße' })
    await fixture.ban('2', { reason: 'Insulted Łukasz and Bjørn' })
    for (const text of ['strasse', 'STRAẞE', 'straße'])
      expect((await searchLists({ text })).records, text).toEqual(['1'])
    for (const text of ['lukasz', 'bjorn', 'ŁUKASZ'])
      expect((await searchLists({ text })).records, text).toEqual(['2'])
  })

  test('is limited to cases by their numbers', async () => {
    for (const userId of ['1', '2', '3', '4']) await fixture.ban(userId)
    expect((await searchLists({ caseNumber: '2' })).records).toEqual(['2'])
    expect((await searchLists({ caseNumber: '3,1,99' })).bans).toEqual(['3', '1'])
    expect((await searchLists({ caseNumber: '3', userId: '1' })).history).toEqual([])
    for (const caseNumber of ['0', '#3', 'x', '1.5'])
      expect((await fixture.expectReadRejected({ caseNumber })).fields).toEqual(['caseNumber'])
  })

  test('is filtered by several statuses', async () => {
    const { id } = await fixture.ban('1')
    await fixture.actOk({ action: 'revoke', id, reason: 'x' })
    await fixture.ban('2', { durationSeconds: 1 })
    await fixture.ban('3')
    await fixture.ban('3')
    instance.clock.advance(SECOND)
    const search = async (status: string) => (await searchLists({ status })).records
    expect(await search('active,expired,superseded')).toEqual(['4', '3', '2'])
    expect(await search('revoked,active')).toEqual(['4', '1'])
    expect((await fixture.expectReadRejected({ status: 'active,gone' })).fields).toEqual(['status'])
  })

  test('ignores other workspaces in every search', async () => {
    const other = await openModerationFixture(instance)
    await other.actOk({ action: 'mute', userId: '1', reason: 'Exploiting' })
    for (const query of [{ action: 'mute', status: 'active' }, { text: 'exploiting' }, { caseNumber: '1' }])
      expect((await fixture.get(query)).body.records).toEqual([])
  })

  test('has a filter only where it reads: a write with one is rejected', async () => {
    const fields = { action: 'ban', userId: '1', reason: 'x' }
    for (const query of [{ action: 'ban' }, { text: 'x' }, { caseNumber: '1' }] as Record<string, string>[])
      expect((await fixture.expectWriteRejected(fields, query)).status).toBe(400)
    const { id } = await fixture.ban('1')
    expect((await fixture.expectReadRejected({ id, text: 'x' })).fields).toEqual(['text'])
  })

  test('is searched in steps: a page tells how far it got, and its cursor continues there', async () => {
    const oldest = await fixture.actOk({ action: 'kick', userId: '1', reason: 'The needle' })
    const note = await fixture.actOk({ action: 'note', userId: '1', reason: 'Hay' })
    await insertRecordCopies(instance, note.id, 20_500)
    for (const query of [{ text: 'NEEDLE' }, { action: 'kick' }, { severity: 'medium' }] as Record<
      string,
      string
    >[]) {
      const first = (await fixture.get(query)).body
      expect(first).toMatchObject({ records: [], searchedToCase: '503' })
      expect(first.nextCursor).toBeString()
      const second = (await fixture.get({ ...query, cursor: first.nextCursor })).body
      expect(listIds(second.records)).toEqual([oldest.id])
      expect(second.nextCursor).toBeNull()
      expect(second).not.toHaveProperty('searchedToCase')
    }
  })
})
