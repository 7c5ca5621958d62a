/** How much of a fault's test is done. */
export interface Plan {
  readonly seed: number
  /** Seconds instead of minutes. */
  readonly short: boolean
  /** Asked for by hand: how many cycles, and how many cut points. */
  readonly cycles: number | null
  readonly cuts: number | null
}

/** What came of it. */
export interface FaultResult {
  /** What was done and seen, by name, in the order in which it is told. */
  readonly stats: Readonly<Record<string, number | string>>
  /** What the promise forbids and was seen, in words. Empty where it is kept. */
  readonly failures: readonly string[]
}

/** The test of one promise. */
export interface FaultTest {
  /** As in the table of promises. */
  readonly promise: string
  readonly title: string
  readonly run: (plan: Plan, log: (line: string) => void) => Promise<FaultResult>
}

const MAX_CHARS = 300

/** The first few of many findings, each by its beginning: the others say the same. */
export const summarizeFindings = (label: string, findings: readonly string[]): string[] =>
  findings.length === 0
    ? []
    : [
        `${findings.length} ${label}: ${findings
          .slice(0, 3)
          .map((finding) => finding.slice(0, MAX_CHARS))
          .join('; ')}`,
      ]
