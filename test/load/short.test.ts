import { expect, test } from 'bun:test'
import type { Plan } from './measure.ts'
import { formatTable, judge } from './report.ts'
import { findScenario } from './scenarios/index.ts'
import { type ShortScenario, testShortForm } from './short-form.ts'

/** Without `p99` and `wake-up`, which need a machine without other work: see latency.test.ts. */
const SHORT_FORM: readonly ShortScenario[] = [
  { scenario: 'archive', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'copy', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'roll-back', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'csv', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'backup', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'search', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'writers', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'deliveries', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'import', bounds: ['rejected', 'memory', 'load'] },
  { scenario: 'wide-bodies', bounds: ['rejected', 'memory', 'load'] },
]

const MIB = 1_048_576
const PLAN: Plan = { warmUpSeconds: 0.5, idleSeconds: 1, startSeconds: 0.5, loadSeconds: 1 }

test('a measurement is compared with the bound of its scenario, and with S10 otherwise', () => {
  const probe = { checks: 100, rejected: 0, p50: 1, p99: 1, max: 1 }
  const measurement = {
    ...{ scenario: 'any', title: 'any', work: 'any', idle: probe, starting: probe, loaded: probe },
    ...{ ratio: 3, memory: { peak: 0, withoutFiles: 0 }, diskGrowth: 0, failure: null },
  }
  expect(judge(measurement).missed).toEqual([])
  expect(judge({ ...measurement, starting: { ...probe, p99: 9 } }).missed).toEqual([])
  expect(judge({ ...measurement, starting: { ...probe, rejected: 1 } }).missed).toEqual(['rejected'])
  const { maxRatio = 0 } = findScenario('followers')
  expect(judge({ ...measurement, maxRatio }).missed).toEqual(['p99'])
  expect(judge({ ...measurement, wakeUpP99: 201 }).missed).toEqual(['wake-up'])
  expect(judge({ ...measurement, receivedShare: 0.94 }).missed).toEqual(['received'])
  const connections = { connectionMemory: 2 * MIB, maxConnectionMemory: 1 * MIB }
  expect(judge({ ...measurement, ...connections }).missed).toEqual(['connections'])
  expect(formatTable([{ ...measurement, ...connections }])).toContain('memory of its connections: 2 (≤ 1)')
})

testShortForm(SHORT_FORM, PLAN)
