import type { Migration } from '../migration.ts'
import { schema } from './0001-schema.ts'
import { appealedBans } from './0002-appealed-bans.ts'
import { storedResponses } from './0003-stored-responses.ts'
import { deliveryStates } from './0004-delivery-states.ts'
import { expiryCursor } from './0005-expiry-cursor.ts'
import { revokedByPerson } from './0006-revoked-by-person.ts'
import { erasedPlayers } from './0007-erased-players.ts'
import { verifiedUsers } from './0008-verified-users.ts'
import { responsesOfRecords } from './0009-responses-of-records.ts'
import { liftedEntries } from './0010-lifted-entries.ts'
import { importedCounts } from './0011-imported-counts.ts'

/**
 * Every migration, in order. Listed by hand, so that it survives a single-file build. Never change the schema of a released
 * one.
 */
export const migrations: readonly Migration[] = [
  schema,
  appealedBans,
  storedResponses,
  deliveryStates,
  expiryCursor,
  revokedByPerson,
  erasedPlayers,
  verifiedUsers,
  responsesOfRecords,
  liftedEntries,
  importedCounts,
]
