import type { Instance } from '../support/instance.ts'

/** How often a property is checked, and with which random choices. */
export interface Parameters {
  readonly numRuns: number
  readonly seed: number
}

/** Something that holds whatever happens. */
export interface Property {
  readonly name: string
  /**
   * Checks it with random choices, each in a new workspace.
   * @returns how often what it is about has happened
   * @throws the error of fast-check, with the smallest choices for which it does not hold
   */
  readonly check: (instance: Instance, parameters: Parameters) => Promise<Readonly<Record<string, number>>>
}
