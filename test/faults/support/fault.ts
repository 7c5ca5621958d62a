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
export interface Outcome {
  /** What was done and seen, by name, in the order in which it is told. */
  readonly figures: Readonly<Record<string, number | string>>
  /** What the promise forbids and was seen, in words. Empty where it is kept. */
  readonly broken: readonly string[]
}

/** The test of one promise. */
export interface Fault {
  /** As in the table of promises. */
  readonly promise: string
  readonly title: string
  readonly run: (plan: Plan, say: (line: string) => void) => Promise<Outcome>
}

const SHOWN = 300

/** The first few of many findings, each by its beginning: the others say the same. */
export const someOf = (words: string, list: readonly string[]): string[] =>
  list.length === 0
    ? []
    : [
        `${list.length} ${words}: ${list
          .slice(0, 3)
          .map((one) => one.slice(0, SHOWN))
          .join('; ')}`,
      ]
