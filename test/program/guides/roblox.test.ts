import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openRobloxFixture, type RobloxFixture } from '../../clients/roblox-fixture.ts'
import { parseBlocks } from '../../support/guide.ts'
import { ROOT, readResult } from '../../support/program.ts'
import { startGameServer } from '../../support/roblox/game-server.ts'

let fixture: RobloxFixture
beforeAll(async () => {
  fixture = await openRobloxFixture()
})
afterAll(() => fixture.close())

const guide = await Bun.file(join(ROOT, 'docs/integrate/roblox.md')).text()
const blocks = parseBlocks(guide)
const findCode = (heading: string, language: string): string =>
  blocks.find((block) => block.heading === heading && block.language === language)?.code ??
  expect.unreachable(`There is no ${language} below "${heading}".`)

/** Runs a script of the guide in a game with the model of the portal. Its local client is visible to the test. */
async function openGuideGame(script: string) {
  const game = await startGameServer({ key: fixture.key })
  await game.addModelValue('Url', fixture.server.origin)
  await game.addModelValue('WorkspaceId', fixture.workspaceId)
  await game.run(script.replace('local reeve', 'reeve'))
  return game
}

const findPlayer = (userId: number) => `game:GetService("Players"):GetPlayerByUserId(${userId})`

test('every block of the Roblox guide is executed here', () => {
  expect(blocks.map(({ heading, language }) => `${language}: ${heading}`)).toEqual([
    'lua: Install the client',
    'sh: Install the client',
    'lua: Decide what an outage means',
    'lua: Choose what banned players read',
    'lua: Mute players',
    'lua: Moderate from inside the game',
    'lua: Act by template',
    'lua: Let players appeal',
  ])
})

test('players appeal in the game with the code of their ban', async () => {
  const record = await fixture.moderate('ban', 2610)
  const game = await openGuideGame(findCode('Install the client', 'lua'))
  await game.run(findCode('Let players appeal', 'lua').replaceAll('local function', 'function'))
  await game.run(`
    before = describe("${record.appealCode}")
    submitted = appeal("${record.appealCode}", "It was my brother.")
    after = describe("${record.appealCode}")
    again = appeal("${record.appealCode}", "It was my brother.")
  `)
  await game.settle()
  expect(await game.read('before')).toBe('You can appeal this ban.')
  expect(await game.read('submitted')).toStartWith('Submitted.')
  expect(await game.read('after')).toBe('Your appeal: submitted. ')
  expect(await game.read('again')).toContain('already an open appeal')
  game.close()
})

test('the first script kicks banned players, and the request in a terminal finds them', async () => {
  await fixture.moderate('ban', 261)
  const game = await openGuideGame(findCode('Install the client', 'lua'))
  await game.join(261)
  await game.advance(1)
  expect(game.kicks).toHaveLength(1)
  game.close()
  const commands = findCode('Install the client', 'sh')
    .replace('https://reeve.example.com', fixture.server.origin)
    .replace('rve_…', fixture.key)
    .replace('REEVE_WORKSPACE=…', `REEVE_WORKSPACE=${fixture.workspaceId}`)
  const shell = Bun.spawn(['bash', '-eu', '-c', commands], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const { out, err, exitCode } = await readResult(shell)
  expect([exitCode, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject({ bans: [{ userId: '261', reason: 'Exploiting' }], mutes: [] })
})

test('the other configuration holds players during an outage, and has its own message', async () => {
  const { caseNumber } = await fixture.moderate('ban', 156)
  const game = await openGuideGame(findCode('Decide what an outage means', 'lua'))
  game.setFault(() => ({ raise: 'HttpError: ConnectFail' }))
  await game.join(156)
  await game.advance(30)
  expect(await game.read(`${findPlayer(156)}:GetAttribute("ReeveHeld")`)).toBe('true')
  game.setFault(() => undefined)
  await game.advance(10)
  expect(game.kicks.map(({ message }) => message)).toEqual([`You are banned: Exploiting. Case ${caseNumber}`])
  game.close()
})

test('banned players read the text of the experience, when they join and when they are banned', async () => {
  const first = await fixture.moderate('ban', 2611)
  const game = await openGuideGame(findCode('Choose what banned players read', 'lua'))
  await game.join(2611)
  await game.join(2612)
  await game.advance(1)
  const second = await fixture.moderate('ban', 2612)
  await game.advance(30)
  const appeal = 'Appeal in the experience “Night Shift Appeals”.'
  expect(game.kicks).toEqual([
    { userId: '2611', message: `${first.message}\n${appeal}` },
    {
      userId: '2612',
      message: expect.stringMatching(
        RegExp(`Case ${second.caseNumber}\\n.*${second.appealCode}\\n${appeal}$`),
      ),
    },
  ])
  expect(first.message).toContain(first.appealCode)
  game.close()
})

test('staff act by template, and the ladder decides what happens to the player', async () => {
  const templateId = await fixture.createTemplate('You used an exploit.', [
    { count: 1, action: 'warn' },
    { count: 2, action: 'ban', durationSeconds: 3600 },
  ])
  const game = await openGuideGame(findCode('Install the client', 'lua'))
  await game.run(findCode('Act by template', 'lua').replace('local function', 'function'))
  await game.join(71, 'Shedletsky')
  await game.join(81)
  await game.advance(1)
  for (const step of ['Step 1: warn', 'Step 2: ban']) {
    await game.run(`result = punish(${findPlayer(71)}, ${findPlayer(81)}, "${templateId}")`)
    await game.settle()
    const [record] = await fixture.listRecords(81)
    expect(record).toMatchObject({ templateId, actorUsername: 'Shedletsky' })
    expect(await game.read('result')).toBe(`${step}. Case ${record.caseNumber}`)
  }
  expect(game.kicks).toEqual([
    { userId: '81', message: expect.stringContaining('Reason: You used an exploit.\n') },
  ])
  await game.run(`result = punish(${findPlayer(71)}, 81, "unknown")`)
  await game.settle()
  expect(await game.read('result')).toStartWith('Nothing was done: ')
  game.close()
})

test('mutes silence players in every channel of the chat until they end, and staff ban from inside the game', async () => {
  const game = await openGuideGame(findCode('Install the client', 'lua'))
  await game.run(findCode('Mute players', 'lua'))
  await game.run(findCode('Moderate from inside the game', 'lua').replace('local function', 'function'))
  await game.join(7, 'Shedletsky')
  await game.join(8, 'Builderman')
  await game.advance(1)
  const listReaders = async (userId: number) => [
    await game.sendMessage('RBXGeneral', userId),
    await game.sendMessage('Red', userId),
  ]
  expect(await game.sendMessage('RBXGeneral', 8)).toBe('Shedletsky')
  await fixture.moderate('mute', 8)
  await game.advance(30)
  // As if the players had chosen a team after the mute.
  await game.addChannel('Red')
  expect(await listReaders(8)).toEqual(['', ''])
  expect(await listReaders(7)).toEqual(['Builderman', 'Builderman'])
  await fixture.moderate('unmute', 8)
  await game.advance(30)
  expect(await listReaders(8)).toEqual(['Shedletsky', 'Shedletsky'])
  await game.run(`result = banFromGame(${findPlayer(7)}, ${findPlayer(8)}, "Spam")`)
  await game.settle()
  const [record] = await fixture.listRecords(8)
  expect(record).toMatchObject({ action: 'ban', actorUsername: 'Shedletsky', durationSeconds: '86400' })
  expect(await game.read('result')).toBe(`Banned until tomorrow. Case ${record.caseNumber}`)
  expect(game.kicks.map(({ userId }) => userId)).toEqual(['8'])
  await game.run(`result = banFromGame(${findPlayer(7)}, 8, "")`)
  await game.settle()
  expect(await game.read('result')).toStartWith('Not banned: ')
  game.close()
})
