const STORAGE_KEY = 'reeve-last-workspace'

type StorageName = 'sessionStorage' | 'localStorage'

/** The stored workspace; null if there is none or if storage is blocked. */
function readStorage(name: StorageName): string | null {
  try {
    return globalThis[name].getItem(STORAGE_KEY)
  } catch {
    return null
  }
}

function writeStorage(name: StorageName, workspaceId: string): void {
  try {
    globalThis[name].setItem(STORAGE_KEY, workspaceId)
  } catch {
    // Storage is blocked: the user chooses a workspace on each visit.
  }
}

let lastInTab = readStorage('sessionStorage')
/** Read once: what is opened in another tab does not change the navigation of this one. */
const lastInBrowser = readStorage('localStorage')

/** The workspaces to return to, as far as known: the last one of this tab, then that of the browser when the page was loaded. */
export const getLastWorkspaces = (): readonly string[] =>
  [lastInTab, lastInBrowser].filter((id) => id !== null)

export function setLastWorkspace(workspaceId: string): void {
  lastInTab = workspaceId
  writeStorage('sessionStorage', workspaceId)
  writeStorage('localStorage', workspaceId)
}
