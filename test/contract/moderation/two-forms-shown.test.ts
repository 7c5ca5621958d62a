import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SanctionKind } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openRaidFixture } from './raid-fixture.ts'

const STEAM_ID = '76561197960287930'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

type Field = string | null

/**
 * A player who was two before the default platform changed, and has a ban and a mute under each form: a permanent one, and one that ends in an
 * hour.
 */
async function openTwoForms(permanentForm: string, kinds: readonly SanctionKind[] = ['ban', 'mute']) {
  const fixture = await openRaidFixture(instance)
  const permanent: Partial<Record<SanctionKind, Record<string, string>>> = {}
  for (const userId of [STEAM_ID, `steam:${STEAM_ID}`])
    for (const action of kinds) {
      const duration = userId === permanentForm ? {} : { durationSeconds: '3600' }
      const record = await fixture.actOk({ action, userId, userUsername: 'Kim', reason: 'Spam', ...duration })
      if (userId === permanentForm) permanent[action] = record
    }
  const body = { workspaceId: fixture.id, defaultPlatform: 'steam' }
  const session = fixture.ownerSession
  expect((await instance.request('PATCH', '/portal/api/workspace', { session, body })).status).toBe(200)
  instance.clock.advance(1000)
  return { ...fixture, permanent }
}

describe.each([STEAM_ID, `steam:${STEAM_ID}`])(
  'of two bans and two mutes, %s has the permanent ones',
  (form) => {
    test('the page of the player and the search show the permanent ones', async () => {
      const { ownerId, getAs, permanent } = await openTwoForms(form)
      for (const query of [{ userId: STEAM_ID }, { q: 'Kim' }, { q: `steam:${STEAM_ID}` }]) {
        const { players } = await getAs(ownerId, '/portal/api/players', query)
        expect(players).toHaveLength(1)
        expect([players[0].ban.id, players[0].mute.id]).toEqual([permanent.ban?.id, permanent.mute?.id])
      }
    })

    test('they name the cases of the others', async () => {
      const { ownerId, getAs } = await openTwoForms(form)
      const { ban, mute } = (await getAs(ownerId, '/portal/api/players', { userId: STEAM_ID })).players[0]
      const others = form === STEAM_ID ? [['3'], ['4']] : [['1'], ['2']]
      expect([ban.otherCases, mute.otherCases]).toEqual(others)
    })

    test('the check of a game server has each player once, with the permanent ones', async () => {
      const { id, key, permanent } = await openTwoForms(form)
      const check = (fields: object = {}) => {
        const body = { workspaceId: id, userIds: `${STEAM_ID},261`, ...fields }
        return instance.request('POST', '/api/moderation/check', { key, body })
      }
      const toFields = (list: { userId: Field; recordId: Field; expiresAt: Field }[]) =>
        list.map(({ userId, recordId, expiresAt }) => [userId, recordId, expiresAt])
      const { body } = await check()
      expect(toFields(body.bans)).toEqual([[STEAM_ID, String(permanent.ban?.id), null]])
      expect(toFields(body.mutes)).toEqual([[STEAM_ID, String(permanent.mute?.id), null]])
      instance.clock.advance(3_600_000)
      expect((await check({ tag: body.tag })).body.unchanged).toBe('true')
    })

    test('the preview of a batch says that the permanent ones are replaced, and so does the error about another one', async () => {
      const { sendOk, act, permanent } = await openTwoForms(form)
      for (const action of ['ban', 'mute'] as const) {
        const request = { action, userIds: [STEAM_ID], reason: 'Again', durationSeconds: '86400' }
        const { preview } = await sendOk({ ...request, dryRun: 'true' })
        expect(preview.results).toMatchObject([
          { replacesCaseNumber: permanent[action]?.caseNumber, replacesExpiresAt: null },
        ])
        const { status, body } = await act({ action, userId: STEAM_ID, reason: 'Again', replaces: '' })
        expect([status, body.error]).toEqual([
          409,
          expect.stringContaining(`: case ${permanent[action]?.caseNumber} by`),
        ])
      }
    })

    test('a linked player is shown with the permanent ban', async () => {
      const { id, key, ownerId, getAs, get, permanent } = await openTwoForms(form)
      const link = { userId: '500', linkedUserId: STEAM_ID, confidence: 'high', reason: 'Same voice' }
      const body = { workspaceId: id, ...link }
      const session = await instance.session(ownerId)
      expect((await instance.request('POST', '/api/moderation/links', { session, body })).status).toBe(200)
      const { linkedPlayers } = await getAs(ownerId, '/portal/api/players', { userId: '500' })
      expect(linkedPlayers).toMatchObject([{ userId: STEAM_ID, ban: { id: permanent.ban?.id } }])
      const { linkedTo } = (await get({ banList: 'true', userId: '500', links: 'true' }, { key })).body
      expect(linkedTo).toMatchObject([{ ban: { recordId: permanent.ban?.id, expiresAt: null } }])
    })

    test('one lift ends both, and returns the permanent one, whose version it takes', async () => {
      const { actOk, act, listActiveBans, permanent } = await openTwoForms(form, ['ban'])
      const edited = await actOk({ action: 'comment', id: permanent.ban?.id, value: 'Seen' })
      const headers = { 'If-Match': `"${edited.version}"` }
      const { status, body } = await act({ action: 'unban', userId: STEAM_ID }, { headers })
      expect([status, body.record?.id]).toEqual([200, permanent.ban?.id])
      expect(await listActiveBans(STEAM_ID)).toEqual([])
    })
  },
)
