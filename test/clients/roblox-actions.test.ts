import { describe, expect, test } from 'bun:test'
import { findPlayer, useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

describe('an appeal in the game', () => {
  test('is read, submitted, answered and withdrawn with the code of the ban', async () => {
    const { game, userId, player } = await fixture.openGameWithPlayer()
    await game.run(`record = reeve:ban(${player}, "Exploiting")`)
    await game.settle()
    const code = await game.read('record.appealCode')
    expect(game.kicks).toEqual([
      { userId: String(userId), message: expect.stringContaining(`Appeal code: ${code}`) },
    ])
    await game.run(`
      local typed = string.lower(string.gsub(record.appealCode, "-", " "))
      first = reeve:readAppeal(typed)
      submitted = reeve:submitAppeal(typed, "It was my brother.")
      _, problem = reeve:submitAppeal(typed, "Again")
      replied = reeve:replyToAppeal(typed, "Please")
      withdrawn = reeve:withdrawAppeal(typed)
      _, unknown = reeve:readAppeal("00000-00000")
    `)
    await game.settle()
    expect(await game.read('first.canAppeal')).toBe('true')
    expect(await game.read('submitted.appeal.state')).toBe('submitted')
    expect(await game.read('problem')).toContain('There is already an open appeal of this ban.')
    expect(await game.read('replied.appeal.messages[2].text')).toBe('Please')
    expect(await game.read('withdrawn.appeal.state')).toBe('withdrawn')
    expect(await game.read('unknown')).toContain('No ban has this code.')
  })
})

describe('an action of staff in the game', () => {
  test('is recorded with all its details and the person who acts', async () => {
    const { game, userId, player } = await fixture.openGameWithPlayer()
    await game.join(7, 'Shedletsky')
    await game.run(`
      record, problem = reeve:ban(${player}, "Exploiting", {
        durationSeconds = 86400,
        severity = "critical",
        evidence = { "https://example.com/clip", "Seen by two" },
        moderator = ${findPlayer(7)},
      })
    `)
    await game.settle()
    expect(await game.read('problem')).toBe('nil')
    const [record] = await fixture.listRecords(userId)
    expect(record).toMatchObject({
      id: await game.read('record.id'),
      action: 'ban',
      userUsername: 'Builderman',
      reason: 'Exploiting',
      severity: 'critical',
      durationSeconds: '86400',
      evidenceCount: '2',
      actorPlatformUserId: '7',
      actorUsername: 'Shedletsky',
    })
    expect(game.kicks.map((kick) => kick.userId)).toEqual([String(userId)])
  })

  test('returns with a permanent ban the request for approval, if it needs one', async () => {
    const game = await fixture.openGame(`key = "${await fixture.createLimitedKey()}"`)
    await game.run(`
      permanent = reeve:ban(${fixture.createUserId()}, "Exploiting")
      short = reeve:ban(${fixture.createUserId()}, "Exploiting", { durationSeconds = 60 })
    `)
    await game.settle()
    expect(await game.read('permanent.approval.state')).toBe('pending')
    expect(await game.read('permanent.approval.expiresAt == permanent.expiresAt')).toBe('true')
    expect([await game.read('short.action'), await game.read('short.approval')]).toEqual(['ban', 'nil'])
  })

  test('replaces only the ban or mute that the game knows of', async () => {
    const game = await fixture.openGame()
    for (const action of ['ban', 'mute']) {
      const target = fixture.createUserId()
      const act = (name: string, replaces: string) =>
        game.run(`
          ${name}, problem = reeve:${action}(${target}, "Spam", { durationSeconds = 60, replaces = ${replaces} })
        `)
      await act('first', '""')
      await game.settle()
      expect(await game.read('first.status')).toBe('active')
      await act('second', 'first.id')
      await game.settle()
      expect(await game.read('second.status')).toBe('active')
      for (const replaces of ['first.id', '""']) {
        await act('third', replaces)
        await game.settle()
        expect(await game.read('third')).toBe('nil')
        expect(await game.read('problem')).toContain(
          `This player has another active ${action}: case ${await game.read('second.caseNumber')} by`,
        )
      }
      expect(await fixture.listRecords(target)).toHaveLength(2)
    }
  })

  test('by template tells the player its text, and staff the reason', async () => {
    const mute = await fixture.createTemplate('You were loud.', [{ count: 1, action: 'mute' }])
    const kick = await fixture.createTemplate('You used an exploit.', [{ count: 1, action: 'kick' }])
    const { game, player } = await fixture.openGameWithPlayer()
    await game.run(`
      reeve:onSanction(function(_, sanction) told = sanction end)
      record, problem = reeve:mute(${player}, "Third report tonight", { templateId = "${mute}", durationSeconds = 60 })
    `)
    await game.settle()
    expect([await game.read('record.reason'), await game.read('told.reason')]).toEqual([
      'Third report tonight',
      'You were loud.',
    ])
    expect(await game.read('told.message')).toContain('You were loud.')
    expect(await game.read('told.message')).not.toContain('tonight')
    const other = await fixture.openGameWithPlayer()
    await other.game.run(`record, problem = reeve:act(${other.player}, "${kick}")`)
    await other.game.settle()
    expect(await other.game.read('record.action')).toBe('kick')
    expect(other.game.kicks).toEqual([{ userId: String(other.userId), message: 'You used an exploit.' }])
  })

  test('kick by template shows the player its text, and never the reason for staff', async () => {
    const template = await fixture.createTemplate('You used a bug.', [{ count: 1, action: 'kick' }])
    const options = `{ templateId = "${template}" }`
    for (const reason of ['nil', '"Third report tonight"']) {
      const { game, userId, player } = await fixture.openGameWithPlayer()
      await game.run(`record, problem = reeve:kick(${player}, ${reason}, ${options})`)
      await game.settle()
      expect(await game.read('record.action')).toBe('kick')
      expect(game.kicks).toEqual([{ userId: String(userId), message: 'You used a bug.' }])
    }
    const { game, userId, player } = await fixture.openGameWithPlayer()
    game.setFault(() => ({ raise: 'HttpError: ConnectFail' }))
    await game.run(`record, problem = reeve:kick(${player}, "Third report tonight", ${options})`)
    await game.advance(20)
    expect(await game.read('problem')).toBe('HttpError: ConnectFail')
    // The text is not known, and they are kicked all the same.
    expect(game.kicks).toEqual([{ userId: String(userId), message: '' }])
  })

  test('works for a player who is somewhere else, by their ID', async () => {
    const game = await fixture.openGame()
    const userId = fixture.createUserId()
    const actions = ['note', 'warn', 'kick', 'mute', 'ban']
    for (const action of actions) await game.run(`reeve:${action}(${userId}, "Spam")`)
    await game.settle()
    await game.run(`reeve:unmute(${userId})\nreeve:unban(${userId}, "Appeal accepted")`)
    await game.settle()
    const records = await fixture.listRecords(userId)
    expect(records.map(({ action }: { action: string }) => action).toSorted()).toEqual(actions.toSorted())
    expect(records.filter(({ status }: { status: string }) => status === 'revoked')).toHaveLength(2)
  })

  test('kicks a player at once, even if Reeve does not respond', async () => {
    const { game, userId, player } = await fixture.openGameWithPlayer()
    game.setFault(() => ({ raise: 'HttpError: ConnectFail' }))
    await game.run(`record, problem = reeve:kick(${player}, "AFK")`)
    expect(game.kicks).toEqual([{ userId: String(userId), message: 'AFK' }])
    await game.advance(20)
    expect([await game.read('record'), await game.read('problem')]).toEqual(['nil', 'HttpError: ConnectFail'])
    expect(game.requests.filter(({ url }) => url.pathname === '/api/moderation').map(({ at }) => at)).toEqual(
      [1, 3, 7, 15],
    )
  })

  test.each([
    ['a timeout', { raise: 'HttpError: Timedout' }],
    ['a 504 of a proxy', { status: 504, body: '<h1>Gateway Time-out</h1>' }],
  ])('whose response is lost by %s is sent again until it is done, and recorded once', async (_, lost) => {
    const { game, userId, player } = await fixture.openGameWithPlayer()
    const body = JSON.stringify({ error: 'Another request with this Idempotency-Key is still in progress.' })
    const faults = [
      { ...lost, isSent: true },
      { status: 409, headers: { 'retry-after': '1' }, body },
    ]
    game.setFault(({ url }) => (url.pathname === '/api/moderation' ? faults.shift() : undefined))
    await game.run(`record, problem = reeve:warn(${player}, "Spam")`)
    await game.advance(10)
    expect(await game.read('problem')).toBe('nil')
    const records = await fixture.listRecords(userId)
    expect(records.map(({ id }: { id: string }) => id)).toEqual([await game.read('record.id')])
  })

  test('whose body did not arrive in time is sent again', async () => {
    const { game, player } = await fixture.openGameWithPlayer()
    const faults = [{ status: 408, body: JSON.stringify({ error: 'The body did not arrive in time.' }) }]
    game.setFault(({ url }) => (url.pathname === '/api/moderation' ? faults.shift() : undefined))
    await game.run(`record, problem = reeve:warn(${player}, "Spam")`)
    await game.advance(10)
    expect([await game.read('record.action'), await game.read('problem')]).toEqual(['warn', 'nil'])
  })

  test('is not repeated if that is possible only much later, and a kick by template happens at once', async () => {
    const { game, userId, player } = await fixture.openGameWithPlayer()
    const body = JSON.stringify({ error: 'The workspace has used up its monthly quota.' })
    game.setFault(({ url }) =>
      url.pathname === '/api/moderation'
        ? { status: 429, headers: { 'Retry-After': '1209600' }, body }
        : undefined,
    )
    await game.run(`record, problem = reeve:kick(${player}, "Spam", { templateId = "any" })`)
    await game.settle()
    expect(game.kicks).toEqual([{ userId: String(userId), message: '' }])
    expect([await game.read('record'), await game.read('problem')]).toEqual([
      'nil',
      'POST /api/moderation returned 429: The workspace has used up its monthly quota.',
    ])
  })

  test('that the server refuses is not repeated, and says why', async () => {
    const { game, player } = await fixture.openGameWithPlayer()
    await game.run(`record, problem = reeve:unban(${player})`)
    await game.advance(30)
    expect(await game.read('problem')).toBe(
      'POST /api/moderation returned 409: This player has no active ban.',
    )
    expect(game.requests.filter(({ url }) => url.pathname === '/api/moderation')).toHaveLength(1)
  })

  test('is refused for a number that cannot be the ID of a player, without a request or a kick', async () => {
    const { game, userId } = await fixture.openGameWithPlayer()
    for (const [number, text] of [
      ['0/0', 'nan'],
      ['math.huge', 'inf'],
      [`${userId}.5`, `${userId}.5`],
      ['1e300', '1e+300'],
    ] as const)
      for (const action of ['ban', 'kick', 'unmute']) {
        await game.run(`record, problem = reeve:${action}(${number}, "Spam")`)
        await game.settle()
        expect(await game.read('record')).toBe('nil')
        // Of several names that Luau has for the same number, one.
        expect((await game.read('problem')).replace('-nan', 'nan')).toBe(
          `${action} needs a player or a user ID, and userId is ${text}, which is not a whole number`,
        )
      }
    expect(game.requests.filter(({ url }) => url.pathname === '/api/moderation')).toEqual([])
    expect(game.kicks).toEqual([])
  })

  test('never sends an empty table, which Roblox encodes as an empty list', async () => {
    const { game, userId, player } = await fixture.openGameWithPlayer()
    await game.run(`record, problem = reeve:note(${player}, "Talked", { evidence = {} })`)
    await game.run(`reeve:note(${player}, "Talked again", {})`)
    await game.settle()
    expect(await game.read('problem')).toBe('nil')
    expect(await fixture.listRecords(userId)).toHaveLength(2)
    expect(game.requests.map(({ body }) => body ?? '').filter((body) => body.includes('[]'))).toEqual([])
  })
})
