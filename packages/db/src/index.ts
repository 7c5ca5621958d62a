export * from './conflict.ts'
export * from './copy.ts'
export {
  commandSocket,
  DataFolderError,
  databaseIn,
  hasInstance,
  refuseOtherUser,
  takeBackupLock,
  takeDataFolder,
  takeForRestore,
  whyMoved,
} from './data-folder.ts'
export * from './database.ts'
export * from './database-server-error.ts'
export * from './durable.ts'
export * from './inserts.ts'
export * from './inspect.ts'
export { type Migration, NewerSchemaError, type SchemaDifference } from './migrate.ts'
export { migrations } from './migrations/index.ts'
export type { Far } from './move/carry.ts'
export { forgetMove } from './move/file-mark.ts'
export { type Moved, moveData } from './move/move.ts'
export * from './open.ts'
export type { ServerInspection } from './postgres/inspect.ts'
export * from './replace.ts'
export type { Room } from './room.ts'
export * from './statement.ts'
export type * from './tables/index.ts'
