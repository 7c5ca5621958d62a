const STORAGE_KEY = 'reeve-last-workspace'

/** The workspace that this browser was last in. What a browser will not keep is not kept. */
export function getLastWorkspace(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    return null
  }
}

export function setLastWorkspace(workspaceId: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, workspaceId)
  } catch {
    // A browser may keep nothing for pages: then the chooser comes first.
  }
}
