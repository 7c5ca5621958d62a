/** Shown for a deleted account whose name was blanked. */
const BLANKED_NAME = 'Deleted account'

/** The name of an actor, which is empty or null if it was blanked. */
export const formatActorName = (name: string | null): string => name || BLANKED_NAME
