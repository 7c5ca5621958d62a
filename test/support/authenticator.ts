import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The options that the server sends, as far as an authenticator reads them. */
interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

interface AuthenticatorOptions {
  readonly origin: string
  /** Default: ES256. */
  readonly algorithm?: 'EdDSA' | 'ES256' | 'ES384' | 'RS256'
  /** Default: an unknown model. */
  readonly aaguid?: string
  /** Default: one of a passkey that is synced, which always is 0. */
  readonly counter?: number
  /** Whether it verifies its user. Default: true. */
  readonly verifiesUser?: boolean
}

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>

/** Encodes a value as CBOR (RFC 8949), as far as WebAuthn needs it. */
function encodeCbor(value: Cbor): Buffer {
  const head = (major: number, length: number): Buffer => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    if (length < 256) return Buffer.from([(major << 5) | 24, length])
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)])
  return Buffer.concat([head(5, value.size), ...entries])
}

const fromBase64url = (text = ''): Buffer => Buffer.from(text, 'base64url')
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

const keyTypes = {
  EdDSA: { hash: null, create: () => generateKeyPairSync('ed25519') },
  ES256: { hash: 'sha256', create: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  ES384: { hash: 'sha384', create: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }) },
  RS256: { hash: 'sha256', create: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
} as const

/** A public key in COSE format (RFC 9053). */
function encodePublicKey(algorithm: keyof typeof keyTypes, key: KeyObject): Buffer {
  const jwk = key.export({ format: 'jwk' })
  const parameters: Readonly<Record<keyof typeof keyTypes, readonly (readonly [number, Cbor])[]>> = {
    EdDSA: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, fromBase64url(jwk.x)],
    ],
    ES256: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, fromBase64url(jwk.x)],
      [-3, fromBase64url(jwk.y)],
    ],
    ES384: [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, fromBase64url(jwk.x)],
      [-3, fromBase64url(jwk.y)],
    ],
    RS256: [
      [1, 3],
      [3, -257],
      [-1, fromBase64url(jwk.n)],
      [-2, fromBase64url(jwk.e)],
    ],
  }
  return encodeCbor(new Map(parameters[algorithm]))
}

const FLAGS = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16, hasCredential: 64 }

/** An authenticator in software, with one passkey, and the browser around it: what it returns is what the portal sends. */
export function createAuthenticator(options: AuthenticatorOptions) {
  const { algorithm = 'ES256', aaguid = '00000000-0000-0000-0000-000000000000' } = options
  const { hash, create } = keyTypes[algorithm]
  const { publicKey, privateKey } = create()
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let userHandle = ''
  let state = { counter: options.counter ?? 0, isBackedUp: true, verifiesUser: options.verifiesUser ?? true }

  const createAuthenticatorData = (rpId: string, attested: Uint8Array | null): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    const flags =
      FLAGS.userPresent |
      FLAGS.backupEligible |
      (state.isBackedUp ? FLAGS.backedUp : 0) |
      (state.verifiesUser ? FLAGS.userVerified : 0) |
      (attested ? FLAGS.hasCredential : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
  }
  const createClientData = (type: string, challenge: string, origin = options.origin): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  return {
    id,
    /** Changes what the next response contains. */
    set(changes: Partial<typeof state>) {
      state = { ...state, ...changes }
    },
    /** The body that adds the passkey. @param json `options` of the response */
    register(json: string) {
      const { challenge, rp, user } = JSON.parse(json) as CreationOptions
      userHandle = user.id
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 255])
      const attested = Buffer.concat([
        fromHex(aaguid),
        length,
        credentialId,
        encodePublicKey(algorithm, publicKey),
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', createAuthenticatorData(rp.id, attested)],
      ])
      return {
        id,
        clientDataJSON: createClientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: encodeCbor(attestation).toString('base64url'),
        transports: ['internal', 'hybrid'],
      }
    },
    /** The body that uses the passkey. @param overrides what a browser would not send */
    authenticate(json: string, overrides: { readonly origin?: string; readonly rpId?: string } = {}) {
      const { challenge, rpId } = JSON.parse(json) as RequestOptions
      const authenticatorData = createAuthenticatorData(overrides.rpId ?? rpId, null)
      const clientData = createClientData('webauthn.get', challenge, overrides.origin)
      const signed = Buffer.concat([authenticatorData, sha256(clientData)])
      return {
        id,
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign(hash, signed, privateKey).toString('base64url'),
        ...(userHandle !== '' && { userHandle }),
      }
    },
  }
}

const fromHex = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export type Authenticator = ReturnType<typeof createAuthenticator>
