import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOTCH, NOW } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importFile, importText, listRecords, findRecord, isBanned } = createImportRequests(() => instance)

const NOTCH_UUID = NOTCH.replace('minecraft:', '')

describe('LiteBans', () => {
  test('bans, mutes, warnings and kicks of a dump arrive with their times, moderators and ends', async () => {
    const { workspace, result, entries } = await importFile('litebans', 'litebans.sql')
    expect(result).toMatchObject({ state: 'succeeded', created: '6', unreadable: '1', progress: '1' })
    expect(entries).toEqual([
      { line: '32', outcome: 'unreadable', message: 'it is about the IP address only, not about a player' },
    ])
    expect(await findRecord(workspace, 'bans:1')).toMatchObject({
      action: 'ban',
      userId: NOTCH,
      reason: 'X-ray; it\'s "obvious", see (log)',
      status: 'active',
      occurredAt: '2026-01-05T08:00:00.000Z',
      createdAt: '2026-02-01T00:00:00.000Z',
      originalModerator: 'jeb_',
      actorUsername: 'jeb_',
      source: 'litebans',
      expiresAt: null,
      // Addresses are dropped.
      evidence: [],
    })
    expect(await findRecord(workspace, 'bans:2')).toMatchObject({
      status: 'revoked',
      revokedAt: '2026-01-10T12:30:00.000Z',
      revokedByUsername: 'jeb_',
      revokeReason: 'Appeal accepted',
    })
    expect(await findRecord(workspace, 'bans:3')).toMatchObject({
      status: 'expired',
      durationSeconds: '86400',
    })
    expect(await findRecord(workspace, 'mutes:7')).toMatchObject({
      status: 'active',
      reason: 'Spam\non two lines',
    })
    expect((await listRecords(workspace)).map((row: { action: string }) => row.action)).toEqual([
      ...['ban', 'ban', 'ban', 'mute', 'warn', 'kick'],
    ])
    expect(await isBanned(workspace, NOTCH)).toBe(true)
  })

  test('a damaged dump names the line of every row that cannot be read, and the others are imported', async () => {
    const { workspace, result, entries } = await importFile('litebans', 'litebans-damaged.sql')
    expect(result).toMatchObject({ state: 'succeeded', created: '2', unreadable: '5' })
    expect(entries.map(({ line }) => line)).toEqual(['3', '4', '5', '6', '9'])
    expect((await listRecords(workspace)).map((row: { sourceId: string }) => row.sourceId)).toEqual([
      'bans:1',
      'bans:6',
    ])
  })

  test('a table as CSV arrives as what the name of the file says', async () => {
    const { workspace, result, entries } = await importFile('litebans', 'litebans_mutes.csv', {
      keepIp: true,
    })
    expect(result).toMatchObject({ created: '2', unreadable: '1' })
    expect(entries).toMatchObject([{ line: '5', message: 'time is not a time: soon' }])
    expect(await findRecord(workspace, 'mutes:31')).toMatchObject({
      action: 'mute',
      reason: 'Caps, and "quotes"',
      evidence: ['IP address: 203.0.113.7'],
    })
  })

  test('a ban that is inactive before its end was lifted, also if nobody is named', async () => {
    const csv = [
      'id,uuid,reason,time,until,active,removed_by_name',
      `41,${NOTCH_UUID},Lifted,1767600000000,4102444800000,0,NULL`,
      `42,${NOTCH_UUID},Marked as expired,1767600000000,4102444800000,0,#expired`,
      `43,${NOTCH_UUID},Expired,1767600000000,1767603600000,0,NULL`,
      `44,${NOTCH_UUID},Permanent,1767600000000,-1,0,NULL`,
    ]
    const { workspace } = await importText('litebans', 'litebans_bans.csv', csv.join('\n'))
    const records = await listRecords(workspace)
    expect(records.map(({ status }: { status: string }) => status)).toEqual([
      ...['revoked', 'revoked', 'expired', 'revoked'],
    ])
    expect(await isBanned(workspace, NOTCH)).toBe(false)
  })

  test('the CSV of another tool is refused with the column that is missing', async () => {
    const { result, entries } = await importText('litebans', 'bans.csv', 'player,reason\n5001,Griefing\n')
    expect(result).toMatchObject({ created: '0', unreadable: '1' })
    expect(entries).toMatchObject([{ message: 'the column uuid is missing: is this file of LiteBans?' }])
  })
})

test('SourceBans++ arrives with Steam ids in one form, and the names of its admins', async () => {
  const { workspace, result } = await importFile('sourcebans', 'sourcebans.sql')
  expect(result).toMatchObject({ created: '5', unreadable: '1' })
  expect(await findRecord(workspace, 'bans:6')).toMatchObject({
    userId: 'steam:76561197960287933',
    originalModerator: 'GabeN',
    status: 'active',
  })
  expect(await findRecord(workspace, 'bans:7')).toMatchObject({
    userId: 'steam:76561197960287934',
    status: 'revoked',
    revokedByUsername: 'GabeN',
    revokeReason: 'Mistake',
  })
  expect(await findRecord(workspace, 'bans:8')).toMatchObject({ status: 'expired' })
  expect(await findRecord(workspace, 'comms:3')).toMatchObject({
    action: 'mute',
    userId: 'steam:76561197960287933',
    status: 'active',
    expiresAt: null,
  })
  // A mute for the session of the player.
  expect(await findRecord(workspace, 'comms:4')).toMatchObject({
    status: 'expired',
    expiresAt: '2026-01-01T02:00:00.000Z',
  })
})

test('banned-players.json of Minecraft arrives', async () => {
  const { workspace, result, entries } = await importFile('minecraft', 'banned-players.json')
  expect(result).toMatchObject({ created: '2', unreadable: '1' })
  expect(entries[0]).toMatchObject({ line: '18', message: 'created is not a time: (Unknown)' })
  expect((await listRecords(workspace))[0]).toMatchObject({
    userUsername: 'Notch',
    occurredAt: '2026-01-05T09:00:00.000Z',
    status: 'active',
  })
  const damaged = await importFile('minecraft', 'banned-players-damaged.json')
  expect(damaged.result).toMatchObject({ created: '1', unreadable: '2' })
  expect(damaged.entries.map(({ line }) => line)).toEqual(['3', '4'])
})

test('playersDB.json of txAdmin arrives without addresses', async () => {
  const { workspace, result, entries } = await importFile('txadmin', 'playersDB.json')
  expect(result).toMatchObject({ created: '2', unreadable: '1' })
  expect(entries[0]?.message).toBe('type jail is not an action of Reeve')
  const ban = await findRecord(workspace, 'B1AB-CDEF')
  expect(ban).toMatchObject({
    userId: 'fivem:license:9b9fc300cc65d22ad3b536175a4d15c0e4933753',
    status: 'active',
  })
  expect(JSON.stringify(ban)).not.toContain('203.0.113.30')
  expect(await findRecord(workspace, 'W2AB-CDEF')).toMatchObject({
    userId: 'discord:272800190639898628',
    status: 'revoked',
    revokedByUsername: 'admin2',
    acknowledgedAt: '2026-01-01T00:01:40.000Z',
  })
})

test('restrictions of Roblox arrive', async () => {
  const { workspace, result } = await importFile('roblox', 'roblox.json')
  expect(result).toMatchObject({ created: '2', unreadable: '1' })
  expect(await isBanned(workspace, '156')).toBe(true)
  expect(await isBanned(workspace, '261')).toBe(false)
  expect(await findRecord(workspace, 'universe/users/261@1767607200000')).toMatchObject({
    status: 'expired',
    expiresAt: '2026-01-05T11:00:00.000Z',
    revokedAt: null,
  })
})

test('cases of Zeppelin arrive with their notes, and an unban lifts the ban before it', async () => {
  const { workspace, result } = await importFile('zeppelin', 'zeppelin.json')
  expect(result).toMatchObject({ created: '3', unreadable: '1' })
  expect(await findRecord(workspace, '1')).toMatchObject({
    action: 'warn',
    reason: 'Spam',
    evidence: ['Second note'],
  })
  expect(await findRecord(workspace, '2')).toMatchObject({
    action: 'ban',
    status: 'revoked',
    revokedByUsername: 'Mod#0001',
  })
})

test('a CSV file arrives with the columns that were chosen', async () => {
  const columns = JSON.stringify({
    ...{ userId: 'player', userUsername: 'label', reason: 'why', occurredAt: 'when', expiresAt: 'until' },
    moderator: 'staff',
  })
  const { workspace, result, entries } = await importFile('csv', 'bans.csv', { columns })
  expect(result).toMatchObject({ created: '2', unreadable: '3' })
  expect(entries.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '4 userId is missing',
    '5 occurredAt is not a time: someday',
    '6 the row has 9 cells, but the header has 7',
  ])
  expect((await listRecords(workspace))[1]).toMatchObject({
    userId: '156',
    reason: 'Scamming; twice',
    status: 'expired',
  })
})

test('a CSV file names who lifted a ban, also that of a list in Reeve', async () => {
  for (const column of ['liftedBy', 'revokedByUsername']) {
    const csv = `userId,occurredAt,revokedAt,${column}\n1,2026-01-05,2026-01-06,kim`
    const { workspace } = await importText('csv', 'x.csv', csv)
    expect(await listRecords(workspace)).toMatchObject([{ status: 'revoked', revokedByUsername: 'kim' }])
  }
})

test('a row of a CSV file with a day that its month does not have is listed with the field, and moved to no other day', async () => {
  const rows = [
    ...['1,2026-02-29,,', '2,2026-01-05,2027-02-31,', '3,2026-01-05,,2026-01-32 10:00'],
    ...['4,2024-02-29,2027-02-28 23:59:59+02:00,', '5,2026-01-05 25:00,,'],
  ]
  const csv = ['userId,occurredAt,expiresAt,liftedAt', ...rows].join('\n')
  const { workspace, entries } = await importText('csv', 'x.csv', csv)
  expect(entries).toEqual([
    { line: '2', outcome: 'unreadable', message: 'occurredAt is not a time: 2026-02-29' },
    { line: '3', outcome: 'unreadable', message: 'expiresAt is not a time: 2027-02-31' },
    { line: '4', outcome: 'unreadable', message: 'liftedAt is not a time: 2026-01-32 10:00' },
    { line: '6', outcome: 'unreadable', message: 'occurredAt is not a time: 2026-01-05 25:00' },
  ])
  expect(await listRecords(workspace)).toMatchObject([
    { occurredAt: '2024-02-29T00:00:00.000Z', expiresAt: '2027-02-28T21:59:59.000Z' },
  ])
})

test('a CSV file with 0 or another word for never as the time of the unban has a ban in force', async () => {
  const times = ['0', '-1', 'NULL', 'never', '', '2026-01-06']
  const rows = times.map((time, index) => `${index + 1},2026-01-05,${time}`)
  const csv = ['userId,occurredAt,unbanned_at', ...rows].join('\n')
  const { workspace, result } = await importText('csv', 'x.csv', csv)
  expect(result).toMatchObject({ created: '6', unreadable: '0' })
  const statuses = (await listRecords(workspace)).map(({ status }: { status: string }) => status)
  expect(statuses).toEqual(['active', 'active', 'active', 'active', 'active', 'revoked'])
})

test('a CSV file says with yes or no whether a ban is active, and another word is listed with its line', async () => {
  const words = ['active', 'Yes', 'true', '1', '', 'inactive', 'No', 'false', '0', 'perhaps']
  const rows = words.map((word, index) => `${index + 1},2026-01-05,${word}`)
  const csv = ['userId,occurredAt,active', ...rows].join('\n')
  const { workspace, result, entries } = await importText('csv', 'x.csv', csv)
  expect(result).toMatchObject({ created: '9', unreadable: '1' })
  expect(entries).toEqual([
    { line: '11', outcome: 'unreadable', message: 'active perhaps is neither yes nor no' },
  ])
  const statuses = (await listRecords(workspace)).map(({ status }: { status: string }) => status)
  expect(statuses).toEqual([...Array(5).fill('active'), ...Array(4).fill('revoked')])
})

test('a CSV file whose ban is not active any more and has passed its end has a ban that has expired', async () => {
  const rows = ['1,2026-01-05,2026-01-06,0', '2,2026-01-05,2026-03-01,0', '3,2026-01-05,never,0']
  const csv = ['userId,occurredAt,expires,active', ...rows].join('\n')
  const { workspace } = await importText('csv', 'x.csv', csv)
  const revokedAt = new Date(NOW).toISOString()
  expect(await listRecords(workspace)).toMatchObject([
    { status: 'expired', expiresAt: '2026-01-06T00:00:00.000Z', durationSeconds: '86400', revokedAt: null },
    { status: 'revoked', expiresAt: '2026-03-01T00:00:00.000Z', revokedAt },
    { status: 'revoked', expiresAt: null, revokedAt },
  ])
})

test('an imported name loses the invisible characters that no name has, and keeps those of its spelling', async () => {
  const names = ['Kestrel\u2800', 'Mod\u202erotar', '\u200b\u2800', 'می\u200cخواهم', '👨\u200d👩\u200d👧']
  const rows = names.map((name, index) => `${index + 1},2026-01-05,${name},${name}`)
  const csv = ['userId,occurredAt,userUsername,moderator', ...rows].join('\n')
  const { workspace } = await importText('csv', 'x.csv', csv)
  const records = await listRecords(workspace)
  const imported = ['Kestrel', 'Modrotar', null, 'می\u200cخواهم', '👨\u200d👩\u200d👧']
  for (const column of ['userUsername', 'originalModerator'])
    expect(records.map((record: Record<string, unknown>) => record[column])).toEqual(imported)
})

test('the last row of a CSV file needs no line break', async () => {
  const { result } = await importText('csv', 'x.csv', 'userId,occurredAt\n1,2026-01-05\n2,2026-01-05')
  expect(result).toMatchObject({ state: 'succeeded', created: '2', unreadable: '0' })
})
