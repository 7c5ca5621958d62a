const STORAGE_KEY = 'reeve-last-workspace'

/** The workspace that was last open in this browser; null if unknown or if storage is blocked. */
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
    // Storage is blocked: the user chooses a workspace on each visit.
  }
}
