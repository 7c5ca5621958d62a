import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ROOT } from '../support/program.ts'
import { type CallCosts, costs, type EngineCosts } from './costs.ts'
import { busy, large, playing, recordsAYear, returning, usual } from './demand.ts'
import { databaseProcessorsFor, limitsOf, processesFor, processors } from './need.ts'
import { report } from './report.ts'

const cost = (reeve: number, database: number) => ({ reeve, database })
const calls: CallCosts = {
  check: cost(100, 50),
  roster: cost(1000, 500),
  events: cost(200, 100),
  write: cost(400, 800),
}
const engine: EngineCosts = { calls, writesOfOneWorkspace: 500, bytesOfRecord: 1000 }

describe('the model', () => {
  test('counts what a network asks', () => {
    expect(playing(large)).toBe(1_200_000)
    expect(usual(large).check).toBeCloseTo(347.2, 1)
    expect(busy(large)).toEqual({
      check: 2_400_000 / 3600,
      roster: 20_000 / 60,
      events: 10_000 / 300,
      write: 4000 / 3600,
    })
    expect(returning(large).check).toBe(4000)
    expect(recordsAYear({ ...large, recordsOfThousand: 1 })).toBe(3_650_000)
  })

  test('adds up processors, and leaves room on each', () => {
    const load = { check: 10_000, roster: 100, events: 500, write: 1000 }
    expect(processors(load, calls)).toEqual({ reeve: 1.6, database: 1.4 })
    expect(processesFor(load, calls)).toBe(3)
    expect(databaseProcessorsFor(load, calls)).toBe(3)
  })

  test('names what gives way first', () => {
    const limits = limitsOf(returning(large), engine, engine)
    const at = limits.map((limit) => limit.at)
    expect(at).toEqual(at.toSorted((one, other) => one - other))
    expect(limits[0]?.what).toStartWith('one API key at 600 calls a minute')
    const twice = limitsOf(returning({ ...large, servers: 20_000, playersADay: 20_000_000 }), engine, engine)
    for (const { what, at } of limits)
      expect(twice.find((limit) => limit.what === what)?.at).toBeCloseTo(at / 2, 1)
  })
})

test('the guide tells what the command tells', async () => {
  const guide = await Bun.file(join(ROOT, 'docs/scaling.md')).text()
  expect(guide).toContain(report(large, costs))
})
