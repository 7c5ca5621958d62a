import type { AuditTable } from '@reeve/db'

/** The action of the entry about an account whose name was blanked in all rows before it. */
export const BLANK_NAME = 'members.blank_name'

/** The actions of the entries about the erasure of a player: what the changes before them say about the player was removed. */
export const ERASE_PLAYER = 'players.erase'
export const FINISH_ERASURE = 'players.finish_erasure'

/** Finds names that were removed from rows although no later entry says that they were blanked. */
export function collectBlankedNames() {
  /** The first row of each actor without its name that no entry explains yet. */
  const actors = new Map<string, number>()
  /** The first row with changes in which something was blanked that no entry explains yet: they can contain the name of anybody. */
  let changed: number | null = null
  /** The erasures that are not complete. They also remove what the log says about the player after the request, until their last entry. */
  const erasures = new Set<string>()
  return {
    /** Adds the next row of the chain. */
    add(row: AuditTable): void {
      const { action, target_id, actor_id, actor_name_hash, changes, changes_hash, sequence } = row
      if (action === BLANK_NAME) {
        actors.delete(target_id)
        changed = null
      }
      if (action === ERASE_PLAYER) {
        erasures.add(target_id)
        changed = null
      }
      if (action === FINISH_ERASURE) {
        erasures.delete(target_id)
        changed = null
      }
      if (actor_name_hash !== null && !actors.has(actor_id)) actors.set(actor_id, sequence)
      if (changes !== null && changes_hash !== null) changed ??= sequence
    },
    /** The first row whose name is missing without a reason, once all rows were added. */
    findUnexplained: (): number | null =>
      actors.values().next().value ?? (erasures.size > 0 ? null : changed),
  }
}
