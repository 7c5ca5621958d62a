/** Stands for the player's id in the template of a profile link. */
export const PLAYER_ID_PLACEHOLDER = '{id}'

/** The link to a player's profile on the game platform. @param template an https URL with `{id}` once */
export const formatProfileUrl = (template: string, userId: string): string =>
  template.split(PLAYER_ID_PLACEHOLDER).join(encodeURIComponent(userId))
