const KEY = 'reeve-last-workspace'

/** The workspace that this browser was last in. What a browser will not keep is not kept. */
export function lastWorkspace(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function rememberWorkspace(workspaceId: string): void {
  try {
    localStorage.setItem(KEY, workspaceId)
  } catch {
    // A browser may keep nothing for pages: then the chooser comes first.
  }
}
