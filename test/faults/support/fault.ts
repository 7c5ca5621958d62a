/** How long a fault test runs. */
export interface Plan {
  readonly seed: number
  /** Seconds instead of minutes. */
  readonly short: boolean
  /** Set on the command line: the number of cycles and of cut points. */
  readonly cycles: number | null
  readonly cuts: number | null
}

/** The result of a fault test. */
export interface FaultResult {
  /** Counts by name, in printing order. */
  readonly stats: Readonly<Record<string, number | string>>
  /** Violations of the promise. Empty if it holds. */
  readonly failures: readonly string[]
}

/** The test of one promise. */
export interface FaultTest {
  /** The id in the table of promises. */
  readonly promise: string
  readonly title: string
  readonly run: (plan: Plan, log: (line: string) => void) => Promise<FaultResult>
}

const MAX_CHARS = 300

/** The first few findings, shortened. */
export const summarizeFindings = (label: string, findings: readonly string[]): string[] =>
  findings.length === 0
    ? []
    : [
        `${findings.length} ${label}: ${findings
          .slice(0, 3)
          .map((finding) => finding.slice(0, MAX_CHARS))
          .join('; ')}`,
      ]
