import type { Scenario } from '../scenario.ts'
import { commandScenarios } from './commands.ts'
import { connectionScenarios } from './connections.ts'
import { deliveries } from './deliveries.ts'
import { followers } from './followers.ts'
import { imports } from './imports.ts'
import { largeRequestScenarios } from './large-requests.ts'
import { readScenarios } from './reads.ts'
import { signIns } from './sign-ins.ts'
import { workspaceScenarios } from './workspaces.ts'
import { writeScenarios } from './writers.ts'

/** Every scenario, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...workspaceScenarios,
  ...readScenarios,
  ...commandScenarios,
  ...writeScenarios,
  ...connectionScenarios,
  followers,
  deliveries,
  imports,
  signIns,
  ...largeRequestScenarios,
]

/** @throws Error with the known names */
export function findScenario(name: string): Scenario {
  const scenario = scenarios.find((candidate) => candidate.name === name)
  if (scenario) return scenario
  throw new Error(`unknown scenario ${name}: choose from ${scenarios.map((known) => known.name).join(', ')}`)
}
