import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@reeve/core'
import type { Instance } from '../../support/instance.ts'
import {
  ACTIVITY_TIMEOUT_MS,
  type ActivityFixture,
  NOW,
  openActivityFixture,
  repeat,
} from './activity-fixture.ts'

setDefaultTimeout(ACTIVITY_TIMEOUT_MS)

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
]

let fixture: ActivityFixture
let instance: Instance

beforeAll(async () => {
  fixture = await openActivityFixture()
  instance = fixture.instance
})
afterAll(() => instance.close())

describe('the days of the charts', () => {
  test('are the last 30 of the reader, also in zones of half hours and when clocks change', async () => {
    const workspace = await instance.workspace()
    // Around the clock, so that every border of a day in every zone has actions on both sides.
    const actions = repeat(33 * 48, (index) => ({
      action: index % 5 === 0 ? 'moderation.warn' : 'moderation.ban',
      at: NOW - DAY_MS * 33 + index * 30 * MINUTE_MS + (index % 2) * (30 * MINUTE_MS - 1),
    }))
    await fixture.act(workspace.id, actions)
    const check = async (zone: string) => {
      const { days, from, to } = await fixture.readActivity(workspace, zone)
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
      const countByDate = (action: string) =>
        Map.groupBy(
          actions.filter((entry) => entry.action === action),
          ({ at }) => format.format(at),
        )
      const [bans, warnings] = [countByDate('moderation.ban'), countByDate('moderation.warn')]
      const dates = days.map((day) => format.format(Date.parse(day.from)))
      expect([zone, new Set(dates).size, dates.at(-1)]).toEqual([zone, 30, format.format(NOW)])
      for (const [index, day] of days.entries()) {
        const date = dates[index] ?? ''
        expect({ zone, date, bans: day.bans, warnings: day.warnings }).toEqual({
          zone,
          date,
          bans: String(bans.get(date)?.length ?? 0),
          warnings: String(warnings.get(date)?.length ?? 0),
        })
        expect(format.format(Date.parse(day.to) - 1)).toBe(date)
        expect(day.to).toBe(days[index + 1]?.from ?? to)
      }
      expect(days.at(-1)?.from).toBe(from)
    }
    for (const zone of ZONES) await check(zone)
    await fixture.runJob()
    expect(await fixture.countSummarized(workspace)).toBeGreaterThan(1500)
    for (const zone of ZONES) await check(zone)
  })

  test('have 25 and 23 hours when clocks change', async () => {
    const workspace = await instance.workspace()
    const listLengths = async (zone: string) => {
      const { days } = await fixture.readActivity(workspace, zone)
      return new Set(days.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / HOUR_MS))
    }
    expect(await listLengths('Europe/Berlin')).toEqual(new Set([24, 25]))
    expect(await listLengths('Australia/Lord_Howe')).toEqual(new Set([24, 23.5]))
    expect(await listLengths('Asia/Kolkata')).toEqual(new Set([24]))
  })

  test('need the name of a time zone', async () => {
    const { id, ownerSession } = await instance.workspace()
    for (const timeZone of ['Mars/Olympus', '+05:17', '2026', '']) {
      const search = new URLSearchParams({ workspaceId: id, timeZone })
      const response = await instance.request('GET', `/portal/api/overview?${search}`, {
        session: ownerSession,
      })
      expect([timeZone, response.status, response.body?.details?.[0]?.field]).toEqual([
        timeZone,
        400,
        'timeZone',
      ])
    }
    expect(instance.unexpectedErrors).toEqual([])
  })
})
