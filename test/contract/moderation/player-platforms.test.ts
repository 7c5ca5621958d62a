import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Fields, openModerationFixture } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const UUID = '069a79f444e94726a5befca90e38aaf5'
const DASHED = '069A79F4-44E9-4726-A5BE-FCA90E38AAF5'
const STEAM_FORMS = [
  'steam:76561197960287930',
  'steam:STEAM_0:0:11101',
  'STEAM:STEAM_1:0:11101',
  '[U:1:22202]',
]

async function openFixture() {
  const fixture = await openModerationFixture(instance)
  const { id: workspaceId, ownerSession, listActiveBans } = fixture
  const setPlatform = async (defaultPlatform: string) => {
    const response = await instance.request('PATCH', '/portal/api/workspace', {
      session: ownerSession,
      body: { workspaceId, defaultPlatform },
    })
    expect([response.status, response.body.workspace?.defaultPlatform]).toEqual([200, defaultPlatform])
  }
  const getPortal = async (path: string, query: Record<string, string>) =>
    (
      await instance.request('GET', `/portal/api/${path}?${new URLSearchParams({ workspaceId, ...query })}`, {
        session: ownerSession,
      })
    ).body
  const findPlayers = async (query: Record<string, string>) =>
    (await getPortal('players', query)).players.map(({ userId }: Fields) => userId)
  /** The cases that a ban check finds for a player. */
  const check = async (userId: string) =>
    (await listActiveBans(userId)).map(({ caseNumber }: Fields) => caseNumber)
  return { ...fixture, setPlatform, getPortal, findPlayers, check }
}

describe('a player on another platform', () => {
  test('is the same player in every form of the id, wherever a request names one', async () => {
    const { id: workspaceId, key, act, ban, check, get, findPlayers, getPortal } = await openFixture()
    expect((await ban('steam:STEAM_0:0:11101')).userId).toBe('steam:76561197960287930')
    for (const form of STEAM_FORMS) expect(await check(form)).toEqual(['1'])
    expect(await check('76561197960287930')).toEqual([])
    expect((await ban(`minecraft:${DASHED}`, { userUsername: 'Notch' })).userId).toBe(`minecraft:${UUID}`)
    expect(await check(`${STEAM_FORMS[1]},minecraft:${UUID},261`)).toEqual(['2', '1'])
    const server = await instance.request('POST', '/api/moderation/check', {
      key,
      body: { workspaceId, userIds: `fivem:steam:1100001000056ba,minecraft:${DASHED}` },
    })
    expect(server.body.bans.map(({ userId }: Fields) => userId).sort()).toEqual([
      `minecraft:${UUID}`,
      'steam:76561197960287930',
    ])
    const records = await get({ userId: '[U:1:22202]' })
    expect(records.body.records).toHaveLength(1)
    for (const q of [
      'STEAM_0:0:11101',
      '[U:1:22202]',
      '76561197960287930',
      'steam:7656',
      'Steam:STEAM_0:0:11101',
    ])
      expect([q, await findPlayers({ q })]).toEqual([q, ['steam:76561197960287930']])
    for (const q of [DASHED, DASHED.toLowerCase(), UUID, 'minecraft:', 'notch'])
      expect([q, await findPlayers({ q })]).toEqual([q, [`minecraft:${UUID}`]])
    expect(await findPlayers({ userId: `minecraft:${DASHED}` })).toEqual([`minecraft:${UUID}`])
    const audit = await getPortal('audit', { userId: '[U:1:22202]' })
    expect(audit.entries.map(({ action }: Fields) => action)).toEqual(['moderation.ban'])
    const unban = await act({ action: 'unban', userId: `minecraft:${DASHED.toLowerCase()}` })
    expect([unban.status, unban.body.record.caseNumber]).toEqual([200, '2'])
    expect(instance.unexpectedErrors).toEqual([])
  })

  test('has an id that is checked: what is no id of the platform is rejected with what one is', async () => {
    const { expectWriteRejected, expectReadRejected } = await openFixture()
    const { status, details } = await expectWriteRejected({
      action: 'ban',
      userId: 'steam:7656',
      reason: 'x',
    })
    expect([status, details]).toEqual([
      400,
      [
        {
          field: 'userId',
          message:
            'must have a SteamID such as 76561197960287930, STEAM_0:0:11101 or [U:1:22202] after steam:',
        },
      ],
    ])
    expect((await expectReadRejected({ banList: 'true', userId: 'minecraft:notch' })).fields).toEqual([
      'userId',
    ])
  })
})

describe('the default platform of a workspace', () => {
  test('can be named: its ids have the form without it, and ids without a platform stay as they are written', async () => {
    const { ban, check } = await openFixture()
    expect((await ban('roblox:261')).userId).toBe('261')
    expect(await check('261')).toEqual(['1'])
    expect(await check('roblox:00261')).toEqual(['1'])
    expect((await ban(DASHED)).userId).toBe(DASHED)
    expect(await check(DASHED.toLowerCase())).toEqual([])
  })

  test('normalizes the ids that games send without it', async () => {
    const { ban, check, setPlatform } = await openFixture()
    await setPlatform('minecraft')
    expect((await ban(DASHED)).userId).toBe(UUID)
    for (const id of [UUID, DASHED, DASHED.toLowerCase(), `minecraft:${DASHED}`])
      expect(await check(id)).toEqual(['1'])
  })

  test('can be FiveM: a ban is found and lifted by the id that FiveM sends and responses have', async () => {
    const { act, ban, check, setPlatform } = await openFixture()
    await ban('fivem:fivem:99887')
    await setPlatform('fivem')
    const { userId } = await ban('fivem:99888')
    expect(userId).toBe('fivem:99888')
    expect(await check('fivem:99887')).toEqual(['1'])
    for (const id of [userId, 'fivem:fivem:99888']) expect(await check(id)).toEqual(['2'])
    expect(await check('99888')).toEqual([])
    expect((await act({ action: 'unban', userId })).status).toBe(200)
    expect(await check(userId)).toEqual([])
  })

  test('can change: every ban is still found by every id that found it, and by those of the new platform', async () => {
    const { act, ban, check, findPlayers, setPlatform } = await openFixture()
    await ban('261')
    await ban('76561197960287930')
    await ban('steam:76561197960287931')
    await ban('STEAM_0:0:11103')
    await ban(DASHED)
    await setPlatform('steam')
    expect(await check('261')).toEqual(['1'])
    expect(await check('roblox:261')).toEqual(['1'])
    for (const id of ['76561197960287930', 'steam:STEAM_0:0:11101', 'STEAM_0:0:11101'])
      expect([id, await check(id)]).toEqual([id, ['2']])
    for (const id of ['steam:76561197960287931', '76561197960287931', 'STEAM_0:1:11101'])
      expect([id, await check(id)]).toEqual([id, ['3']])
    for (const id of ['STEAM_0:0:11103', 'steam:STEAM_0:0:11103', '76561197960287934'])
      expect([id, await check(id)]).toEqual([id, ['4']])
    await setPlatform('minecraft')
    expect(await check(DASHED)).toEqual(['5'])
    expect(await check(`minecraft:${UUID}`)).toEqual(['5'])
    expect(await check('steam:76561197960287931')).toEqual(['3'])
    // A new ban replaces the old one, in the form that the player already has.
    expect((await ban('76561197960287931')).userId).toBe('steam:76561197960287931')
    expect(await check('steam:76561197960287931')).toEqual(['6'])
    expect(await findPlayers({ userId: 'STEAM_0:1:11101' })).toHaveLength(1)
    expect((await act({ action: 'unban', userId: 'roblox:261' })).status).toBe(200)
    expect(await check('261')).toEqual([])
    expect(instance.unexpectedErrors).toEqual([])
  })

  test('can make two players one: both bans are found, a new one replaces both, and one lift ends both', async () => {
    const { act, ban, check, setPlatform } = await openFixture()
    await ban('76561197960287930')
    await ban('steam:76561197960287930')
    await ban('76561197960287931')
    await ban('steam:76561197960287931')
    await setPlatform('steam')
    expect(await check('76561197960287930')).toEqual(['2', '1'])
    await ban('76561197960287930')
    expect(await check('steam:76561197960287930')).toEqual(['5'])
    expect((await act({ action: 'unban', userId: '76561197960287931' })).status).toBe(200)
    expect(await check('76561197960287931')).toEqual([])
    expect((await act({ action: 'unban', userId: 'steam:76561197960287931' })).status).toBe(409)
  })

  test('keeps what belongs to a player: links with their bans, pinned notes and appeals', async () => {
    const { id: workspaceId, key, ban, get, getPortal, ownerSession, setPlatform } = await openFixture()
    const [one, other] = ['76561197960287930', '76561197960287931'] as const
    const link = (userId: string, linkedUserId: string) =>
      instance.request('POST', '/api/moderation/links', {
        key,
        body: { workspaceId, userId, linkedUserId, confidence: 'high', reason: 'Same voice' },
      })
    const { id: linkId } = (await link(`steam:${one}`, `steam:${other}`)).body.link
    const { appealCode, caseNumber } = await ban(`steam:${other}`)
    const submitted = await instance.request('POST', '/api/appeals', {
      key,
      body: { workspaceId, code: appealCode, message: 'It was my brother.' },
    })
    expect(submitted.status).toBe(200)
    const pinned = await instance.request('POST', '/portal/api/pinned-notes', {
      session: ownerSession,
      body: { workspaceId, userId: `steam:${one}`, text: 'Speaks German.' },
    })
    expect(pinned.status).toBe(200)
    await setPlatform('steam')
    for (const userId of [one, `steam:${one}`, 'STEAM_0:0:11101']) {
      const { linkedTo } = (await get({ banList: 'true', userId, links: 'true' })).body
      expect(linkedTo).toMatchObject([{ userId: one, linkedUserId: `steam:${other}`, ban: { caseNumber } }])
      const { links } = (
        await instance.request(
          'GET',
          `/api/moderation/links?${new URLSearchParams({ workspaceId, userId })}`,
          { key },
        )
      ).body
      expect(links).toMatchObject([{ id: linkId, userId: `steam:${one}`, linkedUserId: `steam:${other}` }])
      expect(await getPortal('players', { userId })).toMatchObject({
        pinnedNotes: [{ text: 'Speaks German.' }],
        links: [{ id: linkId }],
        linkedPlayers: [{ userId: `steam:${other}`, ban: { caseNumber } }],
      })
    }
    expect((await getPortal('appeals', { userId: other })).appeals).toMatchObject([{ caseNumber }])
    expect((await link(other, one)).body.code).toBe('conflict')
    expect((await link(one, `steam:${one}`)).body.details).toMatchObject([{ field: 'linkedUserId' }])
    // The ban has the form that the player got later, and the link the one from before.
    const { caseNumber: latest } = await ban(one)
    const { linkedTo } = (await get({ banList: 'true', userId: other, links: 'true' })).body
    expect(linkedTo).toMatchObject([{ linkedUserId: `steam:${one}`, ban: { caseNumber: latest } }])
    expect(instance.unexpectedErrors).toEqual([])
  })
})
