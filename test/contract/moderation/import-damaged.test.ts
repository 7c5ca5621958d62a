import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importFile, importText, listRecords } = createImportRequests(() => instance)

const FILES = [
  [
    'sourcebans',
    'sourcebans-damaged.sql',
    ['bans:6', 'bans:10'],
    [
      '4 length is not a number: a day',
      '5 the row of sb_bans cannot be read: "yesterday, 176722920" is not a value',
      '6 authid ',
      '9 the file ends within a row, or a text in the row has no closing quote',
    ],
  ],
  [
    'txadmin',
    'playersDB-damaged.json',
    ['B1AB-CDEF', 'W5AB-CDEF'],
    [
      '6 the element is not JSON: ',
      '7 ids has no identifier of a player',
      '8 timestamp is not a time: yesterday',
      '10 the file ends within an element',
    ],
  ],
  [
    'roblox',
    'roblox-damaged.json',
    ['universe/users/156@1767607200000', 'universe/users/159@1767607200000'],
    [
      '4 the element is not JSON: ',
      '5 user is missing',
      '6 startTime is not a time: soon',
      '7 an object is expected',
      '10 the file ends within an element',
    ],
  ],
  [
    'zeppelin',
    'zeppelin-damaged.json',
    ['1', '5'],
    [
      '4 the element is not JSON: ',
      '5 user_id ',
      '6 case_number is missing',
      '8 the file ends within a list',
    ],
  ],
] as const

for (const [format, file, sourceIds, problems] of FILES)
  test(`a damaged file of ${format} names the line of what cannot be read, and the others are imported`, async () => {
    const { workspace, result, entries } = await importFile(format, file)
    expect(result).toMatchObject({ state: 'succeeded', created: '2', unreadable: String(problems.length) })
    expect(entries.map(({ line, message }) => `${line} ${message}`)).toEqual(
      problems.map((problem) => expect.stringContaining(problem)),
    )
    const records = await listRecords(workspace)
    expect(records.map(({ sourceId }: { sourceId: string }) => sourceId)).toEqual([...sourceIds])
  })

test('an element with a bracket too many is listed once, and the list goes on after it', async () => {
  const entry = (uuid: string) => `{ "uuid": "${uuid}", "created": "2026-01-05 10:00:00 +0000" }`
  const [notch, dinnerbone] = ['069a79f4-44e9-4726-a5be-fca90e38aaf5', '61699b2e-d327-4a01-9f1e-0ea8c3f06bc6']
  const text = `[\n${entry(notch)},\n}, : },\n${entry(dinnerbone)}\n, }`
  const { result, entries } = await importText('minecraft', 'banned-players.json', text)
  expect(result).toMatchObject({ state: 'succeeded', created: '2', unreadable: '3' })
  expect(entries.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '3 an element is expected, not }',
    '5 an element is expected, not }',
    '5 the file ends within a list',
  ])
})
