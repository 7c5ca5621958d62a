export * from './appeal-expiry.ts'
export { decodeCompactJson, encodeCompactJson } from './compact-json.ts'
export * from './creators.ts'
export * from './database.ts'
export * from './deliveries.ts'
export { DatabaseServerError, isUniqueViolation } from './errors.ts'
export * from './free-bytes.ts'
export * from './fsync.ts'
export * from './images.ts'
export * from './inserts.ts'
export { isNameListed, onFormerMember, selectListedName } from './listed-names.ts'
export { NewerSchemaError, type SchemaDifference } from './migrate.ts'
export type { Migration, UpgradeCheck } from './migration.ts'
export { migrations } from './migrations/index.ts'
export * from './open.ts'
export { observeAnnouncements } from './open-transaction.ts'
export * from './player-names.ts'
export type { ServerInspection } from './postgres/inspect.ts'
export * from './private-folder.ts'
export * from './record-counts.ts'
export * from './record-deletion.ts'
export * from './record-versions.ts'
export { createPartDeletion, createRowDeletion, type RowDeletion } from './row-deletion.ts'
export { runInSlices } from './run-in-slices.ts'
export * from './runner-lease.ts'
export { sqliteEncoding } from './sqlite/column-encoding.ts'
export * from './sqlite/copy-database.ts'
export {
  acquireBackupLock,
  acquireForRestore,
  assertOwnedByUser,
  controlSocketPath,
  type DataFolder,
  databasePath,
  findMovedReason,
  hasInstance,
  secretKeyPath,
  tryLockFile,
} from './sqlite/data-folder.ts'
export {
  isDamagedDatabase,
  isDatabaseLocked,
  isDiskFailure,
  isDiskFull,
  isReadOnlyFileSystem,
  READ_ONLY_ADVICE,
  readOnlyFileSystemMessage,
} from './sqlite/errors.ts'
export { canEnterFolder, DataFolderError, inaccessibleFolderError } from './sqlite/folder-access.ts'
export * from './sqlite/inspect.ts'
export { clearMovedMarker } from './sqlite/moved-marker.ts'
export { sqliteNameIndex } from './sqlite/name-index.ts'
export { openDataFolder } from './sqlite/open.ts'
export * from './sqlite/replace-database.ts'
export * from './sqlite/restored-access.ts'
export { hasContent, incomingRestorePath } from './sqlite/stale-files.ts'
export * from './statement.ts'
export { replaceStoredResponse, responsesOfRecord } from './stored-responses.ts'
export { deletedUsernameKey, FIRST_USERNAME_KEY } from './tables/account.ts'
export { type BatchItemState, type BatchKind, type BatchState, batchItemStates } from './tables/batch.ts'
export { erasureModes } from './tables/erasure.ts'
export { importOutcomes, importStates } from './tables/import.ts'
export type * from './tables/index.ts'
export {
  type WorkspaceJobKind,
  type WorkspaceJobState,
  workspaceJobKinds,
  workspaceJobStates,
} from './tables/workspace-job.ts'
export { isUsableKey } from './usable-keys.ts'
export * from './whole-row.ts'
export { decodeWord, encodeWord } from './words.ts'
export * from './yield-to-event-loop.ts'
