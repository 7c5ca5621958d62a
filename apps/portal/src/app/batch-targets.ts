/** Cases that were selected in a list, until the form for a batch takes them. */
let selected: readonly string[] = []

/** Keeps the ids of selected records for the form that opens next. */
export function keepBatchTargets(recordIds: readonly string[]): void {
  selected = recordIds
}

/** The ids of the records that were selected last. */
export const getBatchTargets = (): readonly string[] => selected
