/** How the ids of one platform are written. */
export interface PlatformRules {
  /**
   * The one form of an id, whatever form it is written in.
   * @returns null for a text that is not an id of this platform
   */
  readonly normalize: (text: string) => string | null
  /** Other forms of a normalized id that are valid without the platform's name. */
  readonly listSpellings: (id: string) => readonly string[]
  /** What an id is, for messages: "must have … after steam:". */
  readonly description: string
}

const keepOneSpelling = (): readonly string[] => []

const isSameCase = (text: string): boolean => text === text.toLowerCase() || text === text.toUpperCase()

/** The first SteamID64 of an account: universe 1, type 1, instance 1. Source: Valve's developer wiki, "SteamID". */
const FIRST_STEAM_ID = 0x0110000100000000n
const MAX_STEAM_ACCOUNT = 0xffffffffn

const toSteamId64 = (account: bigint): string | null =>
  account >= 1n && account <= MAX_STEAM_ACCOUNT ? String(FIRST_STEAM_ID + account) : null

function normalizeSteamId(text: string): string | null {
  if (/^\d{17}$/.test(text)) return toSteamId64(BigInt(text) - FIRST_STEAM_ID)
  // FiveM writes it in hexadecimal.
  if (/^1100001[0-9a-f]{8}$/i.test(text)) return toSteamId64(BigInt(`0x${text}`) - FIRST_STEAM_ID)
  const [, half, account] = /^STEAM_[0-5]:([01]):(\d{1,10})$/i.exec(text) ?? []
  if (half !== undefined && account !== undefined) return toSteamId64(BigInt(account) * 2n + BigInt(half))
  const [, bracketed, plain] = /^(?:\[U:1:(\d{1,10})\]|U:1:(\d{1,10}))$/i.exec(text) ?? []
  const number = bracketed ?? plain
  return number === undefined ? null : toSteamId64(BigInt(number))
}

function listSteamSpellings(id: string): readonly string[] {
  const account = BigInt(id) - FIRST_STEAM_ID
  const rest = `${account % 2n}:${account / 2n}`
  return [`STEAM_0:${rest}`, `STEAM_1:${rest}`, `U:1:${account}`]
}

const DASHED_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A UUID with dashes. @param uuid without dashes */
export const addDashes = (uuid: string): string =>
  uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** A UUID in lower case without dashes; null for any other text. */
export const normalizeUuid = (text: string): string | null =>
  DASHED_UUID.test(text) || /^[0-9a-f]{32}$/i.test(text) ? text.replaceAll('-', '').toLowerCase() : null

const listUuidSpellings = (id: string): readonly string[] => {
  const dashed = addDashes(id)
  return [dashed, id.toUpperCase(), dashed.toUpperCase()]
}

/** The kinds of identifiers of a FiveM server that name a player of no other platform here. An IP address names nobody. */
const FIVEM_ID = /^(?:(license2?):([0-9a-f]{40})|(xbl|live|fivem):(\d{1,20}))$/i

function normalizeFivemId(text: string): string | null {
  const [, license, hash, kind, number] = FIVEM_ID.exec(text) ?? []
  if (license !== undefined && hash !== undefined) return `${license}:${hash}`.toLowerCase()
  return kind === undefined ? null : `${kind.toLowerCase()}:${number}`
}

const rules: Readonly<Record<string, PlatformRules>> = {
  roblox: {
    normalize: (text) => (/^0*[1-9]\d{0,15}$/.test(text) ? text.replace(/^0+/, '') : null),
    listSpellings: keepOneSpelling,
    description: 'a Roblox user id, which is a whole number,',
  },
  steam: {
    normalize: normalizeSteamId,
    listSpellings: listSteamSpellings,
    description: 'a SteamID such as 76561197960287930, STEAM_0:0:11101 or [U:1:22202]',
  },
  minecraft: {
    normalize: normalizeUuid,
    listSpellings: listUuidSpellings,
    description: 'the UUID of the player, with or without dashes,',
  },
  discord: {
    normalize: (text) => (/^[1-9]\d{16,19}$/.test(text) ? text : null),
    listSpellings: keepOneSpelling,
    description: 'a Discord user id of 17 to 20 digits',
  },
  fivem: {
    normalize: normalizeFivemId,
    listSpellings: (id) => [id.replace(/[^:]+$/, (value) => value.toUpperCase())],
    description: 'license:, license2:, xbl:, live:, fivem:, steam: or discord: and the identifier',
  },
}

/** The names of the platforms whose ids have rules. */
export const knownPlatforms: readonly string[] = Object.keys(rules)

/** The rules of a platform; null for any other one, whose ids stay as they are written. */
export const findPlatformRules = (platform: string): PlatformRules | null =>
  Object.hasOwn(rules, platform) ? (rules[platform] ?? null) : null

/** Whether a text without the platform's name is an id in a form that `listSpellings` returns again. */
export const isRegularSpelling = (text: string): boolean =>
  isSameCase(text) || isSameCase(text.replace(/^[^:]+:/, ''))
