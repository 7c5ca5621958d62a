import { afterAll, beforeAll, expect, test } from 'bun:test'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { provideDataset } from './dataset.ts'
import { measureScenario, type Plan, type Target } from './measure.ts'
import { type Bound, formatTable, judge } from './report.ts'
import { findScenario } from './scenarios/index.ts'

/** A scenario of `bun run test:load` that `bun run verify` runs too, and the bounds that it keeps with a margin. */
export interface ShortScenario {
  readonly scenario: string
  readonly bounds: readonly Bound[]
}

const SCALE = 0.002
/** Other work of the machine delays single rounds; a stalling server misses its bound in each of them. */
const MAX_ROUNDS = 3
const TIMEOUT_MS = 120_000

/** Tests that each scenario keeps its bounds with a small workspace, for as long as the plan says. */
export function testShortForm(scenarios: readonly ShortScenario[], plan: Plan): void {
  const folder = temporaryFolder()
  let target: Target

  beforeAll(async () => {
    const dataset = await provideDataset(folder.data, SCALE, null, () => {})
    target = { folder: folder.path, databaseUrl: null, dataset }
  }, TIMEOUT_MS)

  afterAll(() => folder.remove())

  for (const { scenario: name, bounds } of scenarios) {
    const scenario = findScenario(name)
    test(
      `the ban checks of a workspace stay within their bounds (${bounds.join(', ')}) during: ${scenario.title}`,
      async () => {
        let missed: Bound[] = []
        let table = ''
        for (let round = 0; round < MAX_ROUNDS; round++) {
          const measurement = await measureScenario(scenario, target, plan)
          table = formatTable([measurement])
          missed = judge(measurement).missed.filter((bound) => bounds.includes(bound))
          if (missed.length === 0) break
        }
        expect(missed, table).toEqual([])
      },
      TIMEOUT_MS,
    )
  }
}
