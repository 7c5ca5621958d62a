/** The maximum number of players or records in one batch. An undo and its reversal have no limit. */
export const MAX_BATCH_TARGETS = 500
