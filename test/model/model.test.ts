import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ROOT } from '../support/program.ts'
import { computeDatabaseProcessors, computeProcesses, computeProcessors, listLimits } from './capacity.ts'
import { costs, type EngineCosts, type RequestCosts } from './costs.ts'
import {
  averageLoad,
  concurrentPlayers,
  largeNetwork,
  peakLoad,
  reconnectLoad,
  recordsPerYear,
} from './demand.ts'
import { formatReport } from './report.ts'

const createCost = (reeve: number, database: number) => ({ reeve, database })
const calls: RequestCosts = {
  check: createCost(100, 50),
  roster: createCost(1000, 500),
  events: createCost(200, 100),
  write: createCost(400, 800),
}
const engine: EngineCosts = { calls, writesOfOneWorkspace: 500, bytesOfRecord: 1000 }

describe('the model', () => {
  test('computes the load of a network', () => {
    expect(concurrentPlayers(largeNetwork)).toBe(1_200_000)
    expect(averageLoad(largeNetwork).check).toBeCloseTo(347.2, 1)
    expect(peakLoad(largeNetwork)).toEqual({
      check: 2_400_000 / 3600,
      roster: 20_000 / 60,
      events: 10_000 / 300,
      write: 4000 / 3600,
    })
    expect(reconnectLoad(largeNetwork).check).toBe(4000)
    expect(recordsPerYear({ ...largeNetwork, recordsOfThousand: 1 })).toBe(3_650_000)
  })

  test('computes cores with a reserve on each', () => {
    const load = { check: 10_000, roster: 100, events: 500, write: 1000 }
    expect(computeProcessors(load, calls)).toEqual({ reeve: 1.6, database: 1.4 })
    expect(computeProcesses(load, calls)).toBe(3)
    expect(computeDatabaseProcessors(load, calls)).toBe(3)
  })

  test('lists limits in the order in which they are reached', () => {
    const limits = listLimits(reconnectLoad(largeNetwork), engine, engine)
    const loadFactors = limits.map((limit) => limit.loadFactor)
    expect(loadFactors).toEqual(loadFactors.toSorted((one, other) => one - other))
    expect(limits[0]?.description).toStartWith('one API key at 600 requests a minute')
    const doubledLimits = listLimits(
      reconnectLoad({ ...largeNetwork, servers: 20_000, playersADay: 20_000_000 }),
      engine,
      engine,
    )
    for (const { description, loadFactor: loadFactors } of limits)
      expect(doubledLimits.find((limit) => limit.description === description)?.loadFactor).toBeCloseTo(
        loadFactors / 2,
        1,
      )
  })
})

test('the guide contains the output of the command', async () => {
  const guide = await Bun.file(join(ROOT, 'docs/scaling.md')).text()
  expect(guide).toContain(formatReport(largeNetwork, costs))
})
