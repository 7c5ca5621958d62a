import type { Workspace } from '../../api/me.ts'
import { type HitKind, hitKinds, type PaletteItem } from './palette-item.ts'

const MAX_RECENT = 6

/** A recent choice: what the server found is stored as it was, everything else by its id. */
interface RecentItem {
  readonly id: string
  readonly hit?: {
    readonly kind: HitKind
    readonly label: string
    readonly detail?: string | undefined
    readonly target: string
  }
}

const toKey = (accountId: string, workspace: Workspace | null): string =>
  `reeve-recent-${accountId}-${workspace?.id ?? ''}`

function readStored(key: string): readonly RecentItem[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? (stored as RecentItem[]) : []
  } catch {
    return []
  }
}

/**
 * The user's recent choices in a workspace, latest first. What they can no longer see or do is left out.
 * @param items everything that can be chosen without the server
 */
export function listRecentItems(
  accountId: string,
  workspace: Workspace | null,
  items: readonly PaletteItem[],
): PaletteItem[] {
  return readStored(toKey(accountId, workspace)).flatMap(({ id, hit }) => {
    if (hit) {
      const kind = hitKinds[hit.kind]
      return workspace?.permissions.has(kind.permission) ? [{ ...hit, id, icon: kind.icon }] : []
    }
    return items.filter((item) => item.id === id)
  })
}

/** Remembers a choice in this browser, if it can be offered again. */
export function rememberItem(accountId: string, workspace: Workspace | null, item: PaletteItem): void {
  if (item.isTransient) return
  const key = toKey(accountId, workspace)
  const { id, kind, label, detail, target } = item
  const recent: RecentItem =
    kind && typeof target === 'string' ? { id, hit: { kind, label, detail, target } } : { id }
  try {
    const others = readStored(key).filter((other) => other.id !== id)
    localStorage.setItem(key, JSON.stringify([recent, ...others].slice(0, MAX_RECENT)))
  } catch {
    // Storage is blocked or full: nothing is remembered.
  }
}
