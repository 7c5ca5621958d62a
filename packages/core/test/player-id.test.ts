import { describe, expect, test } from 'bun:test'
import {
  changeDefaultPlatform,
  DEFAULT_PLATFORMS,
  findLinkedPlayer,
  findProfileUrl,
  identifyPlayer,
  listPlayerKeys,
  type Platforms,
  parsePlayerId,
  resolvePlayerId,
} from '@reeve/core'
import fc from 'fast-check'
import { RUNS } from './codec-properties.ts'

const resolve = (text: string, platforms: Platforms = DEFAULT_PLATFORMS) =>
  resolvePlayerId(parsePlayerId(text), platforms)

const UUID = '069a79f444e94726a5befca90e38aaf5'
const DASHED = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const LICENSE = 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'

const accounts = fc.integer({ min: 1, max: 0xffffffff })
const steamForms = accounts.map((account) => [
  String(76561197960265728n + BigInt(account)),
  `STEAM_0:${account % 2}:${Math.floor(account / 2)}`,
  `STEAM_1:${account % 2}:${Math.floor(account / 2)}`,
  `U:1:${account}`,
])
const uuidForms = fc.uuid().map((uuid) => {
  const plain = uuid.replaceAll('-', '')
  return [plain, uuid, plain.toUpperCase(), uuid.toUpperCase()]
})
const fivemIds = fc.oneof(
  fc.tuple(fc.constantFrom('license', 'license2'), fc.stringMatching(/^[0-9a-f]{40}$/)),
  fc.tuple(fc.constantFrom('xbl', 'live', 'fivem'), fc.stringMatching(/^\d{1,20}$/)),
)
const fivemForms = fivemIds.map(([kind, value]) => [`${kind}:${value}`, `${kind}:${value.toUpperCase()}`])
const bareIds = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/)
const numbers = fc.integer({ min: 1, max: 10 ** 10 }).map(String)

/** Players on platforms, in the forms that games write them in. */
const players = fc.oneof(
  steamForms.map((forms) => ({ platform: 'steam', forms })),
  uuidForms.map((forms) => ({ platform: 'minecraft', forms })),
  numbers.map((id) => ({ platform: 'roblox', forms: [id] })),
  fc.bigInt(10n ** 17n, 10n ** 18n).map((id) => ({ platform: 'discord', forms: [String(id)] })),
  fivemForms.map((forms) => ({ platform: 'fivem', forms })),
  bareIds.map((id) => ({ platform: 'xbox', forms: [id] })),
)
/** How a request may write the id of a player: with the platform or without it. */
const texts = fc
  .tuple(players, fc.nat(), fc.boolean())
  .map(([{ platform, forms }, index, isQualified]) =>
    isQualified ? `${platform}:${forms[index % forms.length]}` : String(forms[index % forms.length]),
  )
const platformNames = fc.constantFrom('roblox', 'steam', 'minecraft', 'discord', 'fivem', 'xbox')

/** The platforms of a workspace after each change of its default. */
const histories = fc.array(platformNames, { maxLength: 4 }).map((names) => {
  const states: [Platforms, ...Platforms[]] = [DEFAULT_PLATFORMS]
  for (const name of names) states.unshift(changeDefaultPlatform(states[0], name))
  return states
})

describe('the id of a player', () => {
  test.each([
    ['steam:76561197960287930', 'steam:76561197960287930'],
    ['Steam:STEAM_0:0:11101', 'steam:76561197960287930'],
    ['steam:[U:1:22202]', 'steam:76561197960287930'],
    ['[U:1:22202]', 'steam:76561197960287930'],
    ['steam:1100001000056ba', 'steam:76561197960287930'],
    ['fivem:steam:1100001000056BA', 'steam:76561197960287930'],
    [`minecraft:${DASHED.toUpperCase()}`, `minecraft:${UUID}`],
    [`minecraft:${UUID}`, `minecraft:${UUID}`],
    ['discord:80351110224678912', 'discord:80351110224678912'],
    ['fivem:discord:80351110224678912', 'discord:80351110224678912'],
    [`fivem:license:${LICENSE.toUpperCase()}`, `fivem:license:${LICENSE}`],
    ['fivem:xbl:2535465515082324', 'fivem:xbl:2535465515082324'],
    ['fivem:99887', 'fivem:fivem:99887'],
    ['roblox:00261', '261'],
    ['xbox:SomeOne', 'xbox:SomeOne'],
  ])('%s has one form', (text, expected) => {
    expect(resolve(text)).toBe(expected)
    expect(resolve(expected)).toBe(expected)
  })

  test.each([
    'steam:7656119796028',
    'steam:[U:1:0]',
    'minecraft:notch',
    'discord:robin',
    'roblox:builder',
    'fivem:ip:192.0.2.1',
    'fivem:license:abc',
    'a b',
    `x:${'1'.repeat(127)}`,
    '1'.repeat(65),
    '',
  ])('%s is rejected with what is accepted', (text) => {
    expect(() => parsePlayerId(text)).toThrow(/^must /)
  })

  test('without a platform stays as it is written, also in a form of another platform', () => {
    for (const id of [
      '261',
      '0261',
      'Player_1',
      DASHED.toUpperCase(),
      'STEAM_0:0:11101',
      'Foo:Bar',
      'foo:Bar',
    ])
      expect(resolve(id)).toBe(id)
  })

  test('of any platform has the same form whether a request names the default platform, and in which form it writes the id', () => {
    fc.assert(
      fc.property(players, fc.nat(), fc.nat(), ({ platform, forms }, one, other) => {
        const platforms: Platforms = [platform, 'roblox']
        const [a, b] = [forms[one % forms.length], forms[other % forms.length]]
        fc.pre(!/^\d{17}$/.test(String(a)) || platform !== 'xbox')
        const key = resolve(String(a), platforms)
        expect(resolve(`${platform}:${b}`, platforms)).toBe(key)
        expect(resolve(key, platforms)).toBe(key)
        expect(identifyPlayer(key, platforms).platform).toBe(platform)
      }),
      RUNS,
    )
  })

  test('is accepted in the form that a response has, and is the same there, after any changes of the default', () => {
    fc.assert(
      fc.property(fc.oneof(texts, bareIds), histories, (text, [platforms]) => {
        const returned = resolve(text, platforms)
        expect(resolve(returned, platforms)).toBe(returned)
      }),
      RUNS,
    )
  })

  test('finds after any changes of the default what the same text was stored as before', () => {
    fc.assert(
      fc.property(fc.oneof(texts, bareIds), histories, (text, states) => {
        const keys = listPlayerKeys(resolve(text, states[0]), states[0])
        for (const earlier of states) expect(keys).toContain(resolve(text, earlier))
      }),
      RUNS,
    )
  })

  test('leads to the profile on platforms that have one', () => {
    const findUrl = (id: string, template: string | null) =>
      findProfileUrl(identifyPlayer(id, DEFAULT_PLATFORMS), DEFAULT_PLATFORMS, template)
    expect(findUrl('261', null)).toBe(null)
    expect(findUrl('261', 'https://example.com/{id}')).toBe('https://example.com/261')
    expect(findUrl(`minecraft:${UUID}`, null)).toBe(`https://namemc.com/profile/${UUID}`)
    expect(findUrl(`fivem:license:${LICENSE}`, 'https://example.com/{id}')).toBe(null)
  })
})

describe('the player to whose profile a link leads', () => {
  const find = (link: string, platforms: Platforms = DEFAULT_PLATFORMS, template: string | null = null) =>
    findLinkedPlayer(link, platforms, template)

  test('is found on every known platform, however the address was copied', () => {
    for (const link of [
      'https://www.roblox.com/users/261/profile',
      'https://roblox.com/users/261',
      'https://web.roblox.com/users/261/profile?friendshipSourceType=PlayerSearch#about',
      'http://www.roblox.com/pt-br/users/261/profile/',
    ])
      expect([link, find(link)]).toEqual([link, '261'])
    expect(find('https://steamcommunity.com/profiles/76561197960287930/')).toBe('steam:76561197960287930')
    expect(find(`https://namemc.com/profile/${DASHED}`)).toBe(`minecraft:${UUID}`)
    expect(find('https://www.roblox.com/users/261/profile', ['minecraft', 'roblox'])).toBe('261')
    expect(find('https://www.roblox.com/users/261/profile', ['steam'])).toBe('roblox:261')
  })

  test('is found by the template of the workspace', () => {
    const template = 'https://www.owls.example/player?id={id}&tab=all'
    expect(find('https://owls.example/player?id=x-7&tab=cases', ['owls'], template)).toBe('x-7')
    expect(find('https://owls.example/player?name=x-7', ['owls'], template)).toBe(null)
  })

  test('is none for what is no profile with an id', () => {
    for (const text of [
      '261',
      'StormRider',
      'https://www.roblox.com/users/profile?username=StormRider',
      'https://www.roblox.com/games/261/Owls',
      'https://roblox.com.example/users/261/profile',
      'https://steamcommunity.com/id/storm',
      'https://namemc.com/profile/Storm.1',
      'https://www.roblox.com/users/%E0%A4%A/profile',
      'see https://www.roblox.com/users/261/profile',
    ])
      expect([text, find(text)]).toEqual([text, null])
  })
})
