/** Choices from a seeded generator. */
export function createRandomSource(random: () => number) {
  const intBelow = (count: number): number => Math.floor(random() * count)
  const chance = (probability: number): boolean => random() < probability
  const pick = <Value>(list: readonly Value[]): Value => list[intBelow(list.length)] as Value

  /** One of several, each as often as its weight says. */
  function pickWeighted<Value>(list: readonly (readonly [number, Value])[]): Value {
    let remaining = random() * list.reduce((total, [weight]) => total + weight, 0)
    const picked = list.find(([weight]) => {
      remaining -= weight
      return remaining < 0
    })
    return (picked ?? (list[0] as readonly [number, Value]))[1]
  }

  /** Fields, each there as often as its share says. */
  function pickFields(
    fields: Readonly<Record<string, readonly [number, () => unknown]>>,
  ): Record<string, unknown> {
    const chosen = Object.entries(fields).filter(([, [probability]]) => chance(probability))
    return Object.fromEntries(chosen.map(([name, [, createValue]]) => [name, createValue()]))
  }

  return { intBelow, chance, pick, pickWeighted, pickFields }
}

export type RandomSource = ReturnType<typeof createRandomSource>
