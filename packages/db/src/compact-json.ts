/**
 * What the JSON of an audit entry often contains, stored as one byte each. Their positions are stored: add to the end, and never
 * change or remove one. Each has a quotation mark that is not part of a string, so that the texts of users never contain one, and
 * texts take as many bytes as they have.
 */
const TOKENS = [
  '{"before":null,"after":{"caseNumber":"',
  '{"before":null,"after":{"',
  '{"before":{"',
  '},"after":{"',
  '},"target":{"caseNumber":"',
  '},"target":{"',
  '"},"salt":"',
  '},"salt":"',
  '"}',
  '","action":"ban","userId":"',
  '","action":"mute","userId":"',
  '","action":"kick","userId":"',
  '","action":"warn","userId":"',
  '","action":"note","userId":"',
  '","userUsername":"',
  '","reason":"',
  '","severity":"low","status":"',
  '","severity":"medium","status":"',
  '","severity":"high","status":"',
  '","severity":"critical","status":"',
  '","severity":"',
  '","status":"',
  'active","evidence":["',
  'active","actorUsername":"',
  '","actorUsername":"',
  '","actorPlatformUserId":"',
  'active","durationSeconds":"',
  '","durationSeconds":"',
  '","expiresAt":"',
  '","onBehalfOf":{"actorPlatformUserId":"',
  '","onBehalfOf":{"',
  '"evidence":["',
  '"comments":[{"id":"',
  '","text":"',
  '","authorId":"',
  '","authorUsername":"',
  '","createdAt":"',
  '","createdBy":"',
  '","revokedAt":"',
  '","revokedBy":"',
  '","revokeReason":"',
  '","acknowledgedAt":"',
  '","updatedAt":"',
  '","evidenceCount":"',
  '","commentCount":"',
  '","sequence":"',
  '","version":"',
  '"unchangedItems":{"',
  '"permissions":["',
  '"scheduledFor":"',
  '"description":"',
  '"workspaceId":"',
  '"accountId":"',
  '"username":"',
  '"name":"',
  '"],"',
  '":null,"',
  '"status":"',
  '"salt":"',
] as const

/** The first of the bytes that stand for a token. In UTF-8, they only continue a character. */
const FIRST_TOKEN = 0x80

const codes = new Map<string, number>(TOKENS.map((token, index) => [token, FIRST_TOKEN + index]))
const PATTERN = new RegExp(
  [...TOKENS]
    .sort((one, other) => other.length - one.length)
    .map((token) => token.replaceAll(/[[\]{}]/g, '\\$&'))
    .join('|'),
  'g',
)

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The last text and its bytes: the size of an audit entry is counted just after it was stored. */
let last = { json: '', bytes: new Uint8Array() }

/** The bytes that store a JSON text. */
export function encodeCompactJson(json: string): Uint8Array {
  if (json !== last.json) last = { json, bytes: encode(json) }
  return last.bytes
}

function encode(json: string): Uint8Array<ArrayBuffer> {
  // A character has at most three bytes per unit.
  const bytes = new Uint8Array(json.length * 3)
  let length = 0
  let start = 0
  for (const match of json.matchAll(PATTERN)) {
    length += encoder.encodeInto(json.slice(start, match.index), bytes.subarray(length)).written
    bytes[length++] = codes.get(match[0]) as number
    start = match.index + match[0].length
  }
  length += encoder.encodeInto(json.slice(start), bytes.subarray(length)).written
  return bytes.slice(0, length)
}

/** The number of bytes of the character that begins with a byte. */
const characterLength = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

/** The reverse of `encodeCompactJson`. */
export function decodeCompactJson(bytes: Uint8Array): string {
  let json = ''
  let start = 0
  let index = 0
  while (index < bytes.length) {
    const byte = bytes[index] as number
    if (byte < FIRST_TOKEN || byte >= 0xc0) {
      index += characterLength(byte)
      continue
    }
    json += decoder.decode(bytes.subarray(start, index)) + (TOKENS[byte - FIRST_TOKEN] ?? '')
    index += 1
    start = index
  }
  return json + decoder.decode(bytes.subarray(start))
}
