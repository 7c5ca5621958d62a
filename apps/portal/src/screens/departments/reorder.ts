/** A list with one of its ids at another place. */
export function moveId(ids: readonly string[], id: string, to: number): readonly string[] {
  const others = ids.filter((otherId) => otherId !== id)
  return others.toSpliced(to, 0, id)
}

/** Things in a wished order; those it does not know come last, as they stood. */
export function sortByOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  order: readonly string[] | null,
): readonly Item[] {
  if (order === null) return items
  const getPosition = ({ id }: Item) => {
    const index = order.indexOf(id)
    return index < 0 ? order.length : index
  }
  return items.toSorted((a, b) => getPosition(a) - getPosition(b))
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
export function findDropIndex(boxes: readonly Box[], from: number, offset: number): number {
  const dragged = boxes[from]
  if (!dragged) return from
  const middle = ({ top, bottom }: Box) => (top + bottom) / 2
  const passedBelow = boxes.slice(from + 1).filter((box) => dragged.bottom + offset > middle(box)).length
  const passedAbove = boxes.slice(0, from).filter((box) => dragged.top + offset < middle(box)).length
  return from + passedBelow - passedAbove
}
