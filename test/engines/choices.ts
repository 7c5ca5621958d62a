import fc from 'fast-check'

/** Draws are integers below this. */
const DRAW_LIMIT = 2 ** 24
/** More draws than an operation needs: missing draws count as zero. */
const DRAWS_PER_OPERATION = 96

const uniformDraws = fc.noBias(
  fc.array(fc.nat(DRAW_LIMIT - 1), { minLength: DRAWS_PER_OPERATION, maxLength: DRAWS_PER_OPERATION }),
)

/**
 * The draws that decide one operation. They shrink to no draws at all, then each toward zero, and zero is the simplest
 * choice: the first entry of a list, nothing optional, no wait.
 */
export const drawsArbitrary: fc.Arbitrary<readonly number[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 0, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: uniformDraws },
)

/** Choices made from draws of fast-check, one draw per choice. */
export function createChoices() {
  let draws: readonly number[] = []
  let used = 0
  const next = (): number => (draws[used++] ?? 0) / DRAW_LIMIT
  const intBelow = (count: number): number => Math.floor(next() * count)
  const chance = (probability: number): boolean => next() >= 1 - probability
  const pick = <Value>(list: readonly Value[]): Value => list[intBelow(list.length)] as Value

  /** Picks an entry in proportion to its weight. */
  function pickWeighted<Value>(list: readonly (readonly [number, Value])[]): Value {
    let remaining = next() * list.reduce((total, [weight]) => total + weight, 0)
    const picked = list.find(([weight]) => {
      remaining -= weight
      return remaining < 0
    })
    return (picked ?? (list[0] as readonly [number, Value]))[1]
  }

  /** Picks fields, each with its probability. */
  function pickFields(
    fields: Readonly<Record<string, readonly [number, () => unknown]>>,
  ): Record<string, unknown> {
    const chosen = Object.entries(fields).filter(([, [probability]]) => chance(probability))
    return Object.fromEntries(chosen.map(([name, [, createValue]]) => [name, createValue()]))
  }

  /** Makes the next choices from these draws. */
  function useDraws(values: readonly number[]): void {
    draws = values
    used = 0
  }

  return { useDraws, intBelow, chance, pick, pickWeighted, pickFields }
}

export type Choices = Omit<ReturnType<typeof createChoices>, 'useDraws'>
