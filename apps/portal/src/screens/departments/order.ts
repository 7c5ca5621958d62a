/** A list with one of its ids at another place. */
export function moved(ids: readonly string[], id: string, to: number): readonly string[] {
  const others = ids.filter((one) => one !== id)
  return others.toSpliced(to, 0, id)
}

/** Things in a wished order; those it does not know come last, as they stood. */
export function inOrder<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  wish: readonly string[] | null,
): readonly Thing[] {
  if (wish === null) return things
  const place = ({ id }: Thing) => {
    const index = wish.indexOf(id)
    return index < 0 ? wish.length : index
  }
  return things.toSorted((one, other) => place(one) - place(other))
}

interface Box {
  readonly top: number
  readonly bottom: number
}

/**
 * Where in a list something stands that is dragged: a neighbour makes room as soon as half of it is covered.
 * @param boxes of everything in the list, as it stood before
 * @param by how far down it was dragged; upwards is negative
 */
export function placeAt(boxes: readonly Box[], from: number, by: number): number {
  const held = boxes[from]
  if (!held) return from
  const middle = ({ top, bottom }: Box) => (top + bottom) / 2
  const passedBelow = boxes.slice(from + 1).filter((box) => held.bottom + by > middle(box)).length
  const passedAbove = boxes.slice(0, from).filter((box) => held.top + by < middle(box)).length
  return from + passedBelow - passedAbove
}
