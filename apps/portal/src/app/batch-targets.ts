/** A case that was selected in a list, and its player. */
export interface SelectedCase {
  readonly recordId: string
  readonly userId: string
}

interface Selection {
  readonly workspaceId: string
  readonly cases: readonly SelectedCase[]
}

/** Cases that were selected in a list, until the form for a batch takes them. */
let selection: Selection | null = null

/** Keeps selected cases for the form that opens next. */
export function keepBatchTargets(workspaceId: string, cases: readonly SelectedCase[]): void {
  selection = { workspaceId, cases }
}

/** The cases that were selected in a workspace for the form that opens now. */
export const getBatchTargets = (workspaceId: string): readonly SelectedCase[] =>
  selection?.workspaceId === workspaceId ? selection.cases : []

/** Another form starts without the cases that one has taken. */
export function forgetBatchTargets(): void {
  selection = null
}
