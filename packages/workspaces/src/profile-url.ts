import { formatProfileUrl, invalidRequest, PLAYER_ID_PLACEHOLDER, wire } from '@reeve/core'

const MAX_LENGTH = 500

const rejectProfileUrl = (message: string) => invalidRequest({ field: 'profileUrl', message })

/**
 * Checks the template of links to players' profiles: an https URL with `{id}` once, outside the host name, so that no id can
 * lead to another site. It is stored as written.
 * @throws AppError `invalid_request` that names the field
 */
export function parseProfileUrl(text: string): string {
  if (text.split(PLAYER_ID_PLACEHOLDER).length !== 2)
    throw rejectProfileUrl(`must contain ${PLAYER_ID_PLACEHOLDER} exactly once, where the player’s ID goes`)
  const hosts = ['1', '2'].map((userId) => new URL(parseHttpsUrl(formatProfileUrl(text, userId))).host)
  if (hosts[0] !== hosts[1]) throw rejectProfileUrl(`must have ${PLAYER_ID_PLACEHOLDER} after the host name`)
  return text
}

function parseHttpsUrl(url: string): string {
  try {
    return wire.httpsUrl.read(url)
  } catch (error) {
    throw rejectProfileUrl((error as Error).message)
  }
}

/** The template as text; `parseProfileUrl` checks the rest. */
export const profileUrlCodec = wire.text({
  min: 1,
  max: MAX_LENGTH,
  example: `https://www.roblox.com/users/${PLAYER_ID_PLACEHOLDER}/profile`,
})
