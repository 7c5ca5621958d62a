import { DAY_MS } from './duration.ts'

/** How many days the deletion of a workspace can be undone. */
export const DELETION_UNDO_DAYS = 30

/** When a workspace is deleted if its deletion is requested now. Times are epoch milliseconds. */
export const toDeletionTime = (now: number): number => now + DELETION_UNDO_DAYS * DAY_MS
