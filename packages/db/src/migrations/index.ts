import type { Migration } from '../migration.ts'
import { schema } from './0001-schema.ts'
import { appealedBans } from './0002-appealed-bans.ts'
import { storedResponses } from './0003-stored-responses.ts'
import { deliveryStates } from './0004-delivery-states.ts'

/**
 * Every migration, in order. Listed by hand, so that it survives a single-file build. Never change the schema of a released
 * one.
 */
export const migrations: readonly Migration[] = [schema, appealedBans, storedResponses, deliveryStates]
