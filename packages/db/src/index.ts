export * from './conflict.ts'
export * from './database.ts'
export * from './errors.ts'
export * from './fsync.ts'
export * from './inserts.ts'
export { type Migration, NewerSchemaError, type SchemaDifference } from './migrate.ts'
export { migrations } from './migrations/index.ts'
export type { MoveProgress } from './move/copy-table.ts'
export { type MoveResult, moveData } from './move/move.ts'
export * from './open.ts'
export type { ServerInspection } from './postgres/inspect.ts'
export * from './sqlite/copy-database.ts'
export {
  acquireBackupLock,
  acquireDataFolder,
  acquireForRestore,
  assertOwnedByUser,
  controlSocketPath,
  DataFolderError,
  databasePath,
  findMovedReason,
  hasInstance,
} from './sqlite/data-folder.ts'
export type { DiskUsage } from './sqlite/disk-usage.ts'
export * from './sqlite/inspect.ts'
export { clearMovedMarker } from './sqlite/moved-marker.ts'
export * from './sqlite/replace-database.ts'
export * from './statement.ts'
export type * from './tables/index.ts'
export * from './whole-row.ts'
