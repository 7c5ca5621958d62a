/** Shown for a deleted account whose name was blanked. */
const BLANKED_NAME = 'Deleted account'

/** The name of an actor, which is empty if it was blanked. */
export const formatActorName = (name: string): string => name || BLANKED_NAME
