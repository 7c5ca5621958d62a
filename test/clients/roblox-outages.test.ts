import { describe, expect, test } from 'bun:test'
import { findPlayer, isCheck, isPoll, listTimes, useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

/** What a maintenance page, a proxy or the program at a wrong URL responds. */
const OTHER_PROGRAM = () => ({ status: 200, body: '{"status":"maintenance"}' })

const getProblem = () => `${fixture.server.origin} does not respond as Reeve does. Check the URL.`

describe('a 200 of another program is an outage', () => {
  /** @returns a game that a banned player has joined while another program responds, 15 seconds ago */
  async function openGameWithBannedPlayer(onUnknown: string) {
    const userId = fixture.createUserId()
    await fixture.moderate('ban', userId)
    const game = await fixture.openGame(`onUnknown = "${onUnknown}"`, OTHER_PROGRAM)
    await game.join(userId)
    await game.run(`status = reeve:check(${findPlayer(userId)})`)
    await game.advance(15)
    return { game, userId }
  }

  test.each(['allow', 'hold'])(
    'for onUnknown = "%s": the player is checked once Reeve responds',
    async (onUnknown) => {
      const { game, userId } = await openGameWithBannedPlayer(onUnknown)
      expect(game.kicks).toEqual([])
      expect(await game.read('status.isKnown')).toBe('false')
      expect(await game.read(`${findPlayer(userId)}:GetAttribute("ReeveHeld")`)).toBe(
        onUnknown === 'hold' ? 'true' : 'nil',
      )
      game.setFault(() => undefined)
      await game.advance(8)
      expect(game.kicks.map((kick) => kick.userId)).toEqual([String(userId)])
    },
  )

  test('for onUnknown = "kick": the player is kicked, and does not get in', async () => {
    const { game, userId } = await openGameWithBannedPlayer('kick')
    const message = 'Your access could not be checked. Please join again in a minute.'
    expect(game.kicks).toEqual([{ userId: String(userId), message }])
  })

  test('with a warning about checks and one about changes, and waits between the requests', async () => {
    const { game } = await openGameWithBannedPlayer('allow')
    await game.advance(15)
    expect(game.warnings.toSorted()).toEqual([
      `[Reeve] Changes arrive late, with the check of all players every minute: ${getProblem()}`,
      `[Reeve] Players are not checked: ${getProblem()}`,
    ])
    for (const matches of [isCheck, isPoll]) expect(listTimes(game, matches)).toEqual([0, 2, 6, 14, 22, 30])
  })

  test('while changes are followed, whose position is kept', async () => {
    const userId = fixture.createUserId()
    const game = await fixture.openGame()
    await game.join(userId)
    await game.advance(1)
    game.setFault(OTHER_PROGRAM)
    await game.advance(30)
    await fixture.moderate('mute', userId)
    game.setFault((request) => (isCheck(request) ? OTHER_PROGRAM() : undefined))
    await game.advance(10)
    expect(await game.read(`reeve:isMuted(${findPlayer(userId)})`)).toBe('true')
  })

  test('for actions and appeals, which return what went wrong', async () => {
    const game = await fixture.openGame('', OTHER_PROGRAM)
    await game.run(`
      record, problem = reeve:ban(${fixture.createUserId()}, "Spam")
      appeal, appealProblem = reeve:readAppeal("00000-00000")
      submitted, submitProblem = reeve:submitAppeal("00000-00000", "It was my brother.")
    `)
    await game.advance(1)
    for (const name of ['record', 'appeal', 'submitted']) expect(await game.read(name)).toBe('nil')
    for (const name of ['problem', 'appealProblem', 'submitProblem'])
      expect(await game.read(name)).toBe(getProblem())
  })
})
