/** Choices from a seeded generator. */
export function diceOf(random: () => number) {
  const below = (count: number): number => Math.floor(random() * count)
  const often = (share: number): boolean => random() < share
  const pick = <One>(list: readonly One[]): One => list[below(list.length)] as One

  /** One of several, each as often as its weight says. */
  function weighed<One>(list: readonly (readonly [number, One])[]): One {
    let left = random() * list.reduce((sum, [weight]) => sum + weight, 0)
    const found = list.find(([weight]) => {
      left -= weight
      return left < 0
    })
    return (found ?? (list[0] as readonly [number, One]))[1]
  }

  /** Fields, each there as often as its share says. */
  function some(fields: Readonly<Record<string, readonly [number, () => unknown]>>): Record<string, unknown> {
    const chosen = Object.entries(fields).filter(([, [share]]) => often(share))
    return Object.fromEntries(chosen.map(([name, [, make]]) => [name, make()]))
  }

  return { below, often, pick, weighed, some }
}

export type Dice = ReturnType<typeof diceOf>
