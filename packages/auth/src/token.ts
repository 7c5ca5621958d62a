import type { Ports } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'rve_'
/** 43 base62 characters encode 256 bits: 62^43 > 2^256. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const API_KEY_PATTERN = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)

/** SHA-256 in hex: the form in which tokens and API keys are stored and looked up. */
export const hashToken: (token: string) => string = sha256Hex

function encodeBase62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  while (text.length < length) {
    text = BASE62[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}

const computeChecksum = (secret: string): string =>
  encodeBase62(BigInt(Bun.hash.crc32(secret)), CHECKSUM_LENGTH)

/** Generates an API key: `rve_`, 256 random bits in base62, and their CRC-32, which detects typos without a query. */
export function generateApiKey(ports: Pick<Ports, 'randomBytes'>): string {
  const secret = encodeBase62(
    BigInt(`0x${Buffer.from(ports.randomBytes(32)).toString('hex')}`),
    SECRET_LENGTH,
  )
  return `${PREFIX}${secret}${computeChecksum(secret)}`
}

/** Whether a text has the format of an API key and a valid checksum. */
export function isApiKey(text: string): boolean {
  const parts = API_KEY_PATTERN.exec(text)
  return parts !== null && computeChecksum(parts[1] as string) === parts[2]
}

/** Generates a session or invitation token: 256 random bits in base64url. */
export const generateToken = (ports: Pick<Ports, 'randomBytes'>): string =>
  Buffer.from(ports.randomBytes(32)).toString('base64url')
