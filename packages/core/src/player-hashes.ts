import { createHmac } from 'node:crypto'
import type { Actor } from './actor.ts'
import {
  decryptSecret,
  encryptSecret,
  reencryptSecret,
  SecretDecryptionError,
  type SecretUse,
} from './keys.ts'
import { listKeysOfPlayers, listPlayerKeys } from './platforms/player-id.ts'
import type { Ports } from './ports.ts'

// Imported as `@reeve/core/player-hashes`, so that the portal, which imports `@reeve/core`, never bundles it.

/**
 * The pseudonym of an erased player stands where their ID was: the sanctions of the player still match, and nobody can tell from the
 * database whose they are. The key of a workspace is random and stored encrypted, so that it outlives a rotation of the secret key.
 */

const PREFIX = 'pseudonym:'
/** 160 bits in hex: as an ID of a platform, it is at most 64 characters. */
const HASH_CHARACTERS = 40
const KEY_BYTES = 32

export const isPseudonym = (userId: string): boolean => userId.startsWith(PREFIX)

/** The hash of the ID under which a player is stored. @param key one of the workspace */
export const hashPlayer = (key: Uint8Array, userId: string): string =>
  createHmac('sha256', key).update(userId).digest('hex').slice(0, HASH_CHARACTERS)

/** The pseudonym of a player who was stored under an ID. @param key that of the pseudonyms of the workspace */
export const createPseudonym = (key: Uint8Array, userId: string): string => PREFIX + hashPlayer(key, userId)

/** The keys of a workspace for hashes of players' IDs: that of its pseudonyms, and that by which restores recognize erased players. */
export type PlayerKeyUse = 'pseudonyms' | 'erasures'

const getUse = (use: PlayerKeyUse, workspaceId: string): SecretUse => ({
  purpose: 'pseudonyms',
  context: `${use}:${workspaceId}`,
})

/** A new key, and how it is stored in the row of its workspace. */
export function generatePlayerKey(
  ports: Pick<Ports, 'deriveKey' | 'randomBytes'>,
  use: PlayerKeyUse,
  workspaceId: string,
): { readonly key: Uint8Array; readonly sealed: string } {
  const key = ports.randomBytes(KEY_BYTES)
  return { key, sealed: sealPlayerKey(ports, use, workspaceId, key) }
}

/** Encrypts a key of a workspace. */
export const sealPlayerKey = (
  ports: Pick<Ports, 'deriveKey' | 'randomBytes'>,
  use: PlayerKeyUse,
  workspaceId: string,
  key: Uint8Array,
): string => encryptSecret(ports, getUse(use, workspaceId), Buffer.from(key).toString('base64'))

/**
 * Decrypts a key of a workspace.
 * @returns null if there is none, or if it belongs to a secret key that is lost: then its hashes match nobody
 */
export function openPlayerKey(
  ports: Pick<Ports, 'deriveKey'>,
  use: PlayerKeyUse,
  workspaceId: string,
  sealed: string | null,
): Uint8Array | null {
  if (sealed === null) return null
  try {
    return Buffer.from(decryptSecret(ports, getUse(use, workspaceId), sealed), 'base64')
  } catch (error) {
    if (error instanceof SecretDecryptionError) return null
    throw error
  }
}

/** Encrypts a key of a workspace with another secret key. */
export const resealPlayerKey = (
  from: Ports,
  to: Ports,
  use: PlayerKeyUse,
  workspaceId: string,
  sealed: string,
): string => reencryptSecret(from, to, getUse(use, workspaceId), sealed)

/** Under what the sanctions of players can be stored. */
export interface SanctionKeys {
  /** Every form of the IDs of the players, and their pseudonyms if the workspace has any. */
  readonly keys: readonly string[]
  /** The ID of the request that a pseudonym stands for; other IDs as they are. */
  readonly toRequested: (userId: string) => string
}

/** @param userIds as `resolvePlayerId` returns them */
export function listSanctionKeys(
  userIds: readonly string[],
  { platforms, pseudonymKey }: Pick<Actor, 'platforms' | 'pseudonymKey'>,
): SanctionKeys {
  const keys = listKeysOfPlayers(userIds, platforms)
  if (pseudonymKey === null) return { keys, toRequested: (userId) => userId }
  const requested = new Map<string, string>()
  for (const userId of userIds)
    for (const key of listPlayerKeys(userId, platforms))
      requested.set(createPseudonym(pseudonymKey, key), userId)
  return {
    keys: [...keys, ...requested.keys()],
    toRequested: (userId) => requested.get(userId) ?? userId,
  }
}
