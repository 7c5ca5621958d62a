import { describe, expect, test } from 'bun:test'
import { findPlayer, isCheck, isPlaying, isPoll, listTimes, useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

const UNAVAILABLE = () => ({ status: 503, body: '<html>Bad gateway</html>' })

describe('a player who joins', () => {
  test('is kicked if they are banned, and reads why, until when, the case and how to appeal', async () => {
    const [banned, other] = [fixture.createUserId(), fixture.createUserId()]
    const ban = await fixture.moderate('ban', banned, { durationSeconds: '86400' })
    const game = await fixture.openGame()
    await game.join(other)
    await game.join(banned)
    await game.advance(1)
    const until = `${ban.expiresAt.slice(0, 16).replace('T', ' ')} UTC`
    expect(game.kicks).toEqual([
      {
        userId: String(banned),
        message: [
          'You are banned.',
          'Reason: Exploiting',
          `Until: ${until}`,
          `Case ${ban.caseNumber}`,
          `Appeal code: ${ban.appealCode}`,
        ].join('\n'),
      },
    ])
    expect(await isPlaying(game, other)).toBe(true)
    expect(game.warnings).toEqual([])
  })

  test('does not read the appeal code while no appeal is possible', async () => {
    const { server, session, workspaceId, createUserId, moderate, openGame } = fixture
    const configure = (enabled: string) =>
      server.requestOk('PATCH', '/portal/api/appeals/settings', { session, body: { workspaceId, enabled } })
    const userId = createUserId()
    const { caseNumber } = await moderate('ban', userId)
    await configure('false')
    const game = await openGame()
    await game.join(userId)
    await game.advance(1)
    await configure('true')
    const message = `You are banned.\nReason: Exploiting\nCase ${caseNumber}`
    expect(game.kicks).toEqual([{ userId: String(userId), message }])
  })

  test('is checked if they were in the game before the client started', async () => {
    const userId = fixture.createUserId()
    await fixture.moderate('ban', userId)
    const game = await fixture.openGame('banMessage = function(ban) return ban.kind .. " " .. ban.reason end')
    await game.run('reeve:stop()')
    await game.join(userId)
    await game.run(`
      local Reeve = require(game.ServerScriptService.Reeve)
      local key = game:GetService("HttpService"):GetSecret("reeve")
      Reeve.start({ key = key, banMessage = function(ban) return ban.kind .. ": " .. ban.reason end })
    `)
    await game.advance(1)
    expect(game.kicks).toEqual([{ userId: String(userId), message: 'ban: Exploiting' }])
  })

  test('shares a request with everybody who joins at that time', async () => {
    const game = await fixture.openGame()
    const userIds = Array.from({ length: 50 }, fixture.createUserId)
    for (const userId of userIds) await game.join(userId)
    await game.advance(1)
    const checks = game.requests.filter(isCheck).map(({ body }) => JSON.parse(body ?? '').userIds.split(','))
    expect(checks.flat().toSorted()).toEqual(userIds.map((userId) => `roblox:${userId}`).toSorted())
    expect(checks.length).toBeLessThanOrEqual(2)
  })
})

describe('a player in the game', () => {
  test('is kicked as soon as they are banned in the portal, by a request that waits for it', async () => {
    const userId = fixture.createUserId()
    const game = await fixture.openGame()
    await game.join(userId)
    await game.advance(1)
    const requestCount = game.requests.length
    await fixture.moderate('ban', userId)
    // The clock of the game stands still.
    await game.waitFor(() => game.kicks.length > 0)
    expect(game.kicks.map((kick) => kick.userId)).toEqual([String(userId)])
    expect(game.requests).toHaveLength(requestCount)
  })

  test('is checked again every minute, so that a ban is noticed without the feed', async () => {
    const userId = fixture.createUserId()
    const game = await fixture.openGame('', (request) => (isPoll(request) ? UNAVAILABLE() : undefined))
    await game.join(userId)
    await game.advance(130)
    expect(listTimes(game, isCheck)).toEqual([0, 60, 120])
    await fixture.moderate('ban', userId)
    await game.advance(49)
    expect(game.kicks).toEqual([])
    await game.advance(1)
    expect(game.kicks).toHaveLength(1)
  })

  test('is kicked when a roll-back brings their ban back, although the sequence has gone back', async () => {
    const userId = fixture.createUserId()
    await fixture.moderate('ban', userId)
    const { server, session, workspaceId: id } = fixture
    const workspaces = (body: object) => server.requestOk('POST', '/api/workspaces', { session, body })
    const { archive } = (await workspaces({ id, archive: 'true' })).body
    await workspaces({ id, archive: 'false' })
    await fixture.moderate('unban', userId)
    const game = await fixture.openGame()
    await game.join(userId)
    await game.advance(1)
    expect(game.kicks).toEqual([])
    await workspaces({ id, archive: 'true' })
    await workspaces({ id, fromArchive: archive.id })
    // The next response says that the history has changed, long before the next check of all players.
    await game.advance(35)
    expect(game.kicks).toHaveLength(1)
  })
})

describe('while Reeve does not respond', () => {
  const unreachable = { raise: 'HttpError: ConnectFail' }

  test('players are admitted by default, and checked as soon as it responds', async () => {
    const userId = fixture.createUserId()
    await fixture.moderate('ban', userId)
    const game = await fixture.openGame('', () => unreachable)
    await game.join(userId)
    await game.advance(100)
    expect(game.kicks).toEqual([])
    game.setFault(() => undefined)
    await game.advance(8)
    expect(game.kicks).toHaveLength(1)
  })

  test('the configuration can kick them after 15 seconds', async () => {
    const game = await fixture.openGame('onUnknown = "kick"', () => unreachable)
    const userId = fixture.createUserId()
    await game.join(userId)
    await game.advance(14)
    expect(game.kicks).toEqual([])
    await game.advance(1)
    expect(game.kicks).toEqual([
      {
        userId: String(userId),
        message: 'Your access could not be checked. Please join again in a minute.',
      },
    ])
  })

  test('the configuration can hold them: they cannot move until they are checked', async () => {
    const userId = fixture.createUserId()
    const game = await fixture.openGame('onUnknown = "hold"', () => unreachable)
    await game.join(userId)
    const player = findPlayer(userId)
    const readHold = async () => [
      await game.read(`${player}:GetAttribute("ReeveHeld")`),
      await game.read(`${player}.Character.HumanoidRootPart.Anchored`),
    ]
    await game.advance(100)
    expect(await readHold()).toEqual(['true', 'true'])
    await game.run(`${player}:LoadCharacter()`)
    expect(await readHold()).toEqual(['true', 'true'])
    game.setFault(() => undefined)
    await game.advance(8)
    expect(await readHold()).toEqual(['nil', 'false'])
    expect(game.kicks).toEqual([])
  })

  test('checks are retried after 2, 4, 8 and again 8 seconds, with one warning and without the key', async () => {
    const game = await fixture.openGame('', (request) => (isCheck(request) ? UNAVAILABLE() : undefined))
    await game.join(fixture.createUserId())
    await game.advance(40)
    expect(listTimes(game, isCheck)).toEqual([0, 2, 6, 14, 22, 30, 38])
    expect(game.warnings).toEqual([
      '[Reeve] Players are not checked: POST /api/moderation/check returned 503: Fault',
    ])
  })

  test('the log has one warning about checks and one about changes, however long that takes', async () => {
    const game = await fixture.openGame('', () => unreachable)
    await game.join(fixture.createUserId())
    await game.advance(120)
    expect(game.warnings.toSorted()).toEqual([
      '[Reeve] Changes arrive late, with the check of all players every minute: HttpError: ConnectFail',
      '[Reeve] Players are not checked: HttpError: ConnectFail',
    ])
  })

  test('a `Retry-After` of a 429 is respected, however its header is written', async () => {
    for (const header of ['retry-after', 'Retry-After']) {
      const game = await fixture.openGame('', (request) =>
        isCheck(request) ? { status: 429, headers: { [header]: '20' } } : undefined,
      )
      await game.join(fixture.createUserId())
      await game.advance(50)
      expect(listTimes(game, isCheck)).toEqual([0, 20, 40])
    }
  })
})

describe('a held request', () => {
  test('that Roblox ends with a timeout is sent again, without a warning', async () => {
    const game = await fixture.openGame()
    await game.settle()
    game.setFault((request) => (isPoll(request) ? { raise: 'HttpError: Timedout' } : undefined))
    await game.advance(60)
    expect(listTimes(game, isPoll).length).toBeGreaterThan(8)
    expect(game.warnings).toEqual([])
    const userId = fixture.createUserId()
    game.setFault(() => undefined)
    await game.join(userId)
    await game.advance(6)
    await fixture.moderate('ban', userId)
    await game.waitFor(() => game.kicks.length > 0)
  })

  test('whose response is a 304, which Roblox reports as a failure, means that nothing has changed', async () => {
    const game = await fixture.openGame()
    await game.settle()
    game.setFault((request) => (isPoll(request) ? { status: 304 } : undefined))
    await game.advance(61)
    expect(game.warnings).toEqual([])
    const times = listTimes(game, isPoll).slice(2)
    expect(times.length).toBeGreaterThan(5)
    expect(Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))).toBe(5)
  })

  test('continues where it was, so that a change during an outage is not missed', async () => {
    const userId = fixture.createUserId()
    const game = await fixture.openGame()
    await game.join(userId)
    await game.advance(1)
    game.setFault(() => UNAVAILABLE())
    await game.advance(30)
    await fixture.moderate('mute', userId)
    game.setFault((request) => (isCheck(request) ? UNAVAILABLE() : undefined))
    await game.advance(10)
    expect(await game.read(`reeve:isMuted(${findPlayer(userId)})`)).toBe('true')
  })
})

test('a thread of the game that was cancelled while it waited for a check does not end the checks', async () => {
  const [waiting, banned] = [fixture.createUserId(), fixture.createUserId()]
  await fixture.moderate('ban', banned)
  const game = await fixture.openGame('', () => UNAVAILABLE())
  await game.join(waiting)
  await game.run(`
    local player = ${findPlayer(waiting)}
    local thread = task.spawn(function() reeve:check(player) end)
    task.delay(1, task.cancel, thread)
  `)
  await game.advance(1.5)
  game.setFault(() => undefined)
  await game.advance(10)
  await game.join(banned)
  await game.advance(10)
  expect(game.kicks.map(({ userId }) => userId)).toEqual([String(banned)])
})

test('the time limit of a check does not end a later one of the same thread', async () => {
  const game = await fixture.openGame()
  const userId = fixture.createUserId()
  await game.join(userId)
  await game.advance(2)
  await game.run(`
    local player = ${findPlayer(userId)}
    first = reeve:check(player)
    task.wait(14.8)
    second = reeve:check(player)
  `)
  await game.advance(14)
  // The second check gets its response after the time limit of the first one.
  let failureCount = 0
  game.setFault((request) => (isCheck(request) && failureCount++ < 1 ? UNAVAILABLE() : undefined))
  await game.advance(10)
  expect(failureCount).toBe(2)
  expect([await game.read('first.isKnown'), await game.read('second.isKnown')]).toEqual(['true', 'true'])
})

test('after `stop` nothing is sent, and nobody is held or waits', async () => {
  const game = await fixture.openGame('onUnknown = "hold"', () => UNAVAILABLE())
  const userId = fixture.createUserId()
  await game.join(userId)
  await game.run(`status = reeve:check(${findPlayer(userId)})`)
  await game.advance(3)
  await game.run('reeve:stop()')
  const requestCount = game.requests.length
  await game.advance(200)
  await game.join(fixture.createUserId())
  await game.advance(100)
  expect(game.requests).toHaveLength(requestCount)
  const player = findPlayer(userId)
  expect(await game.read(`${player}:GetAttribute("ReeveHeld")`)).toBe('nil')
  expect(await game.read('status.isKnown')).toBe('false')
})
