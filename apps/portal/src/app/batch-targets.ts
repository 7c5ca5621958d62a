/** A case that was selected in a list, and its player. */
export interface SelectedCase {
  readonly recordId: string
  readonly userId: string
}

/** Cases that were selected in a list, until the form for a batch takes them. */
let selected: readonly SelectedCase[] = []

/** Keeps selected cases for the form that opens next. */
export function keepBatchTargets(cases: readonly SelectedCase[]): void {
  selected = cases
}

/** The cases that were selected last. */
export const getBatchTargets = (): readonly SelectedCase[] => selected
