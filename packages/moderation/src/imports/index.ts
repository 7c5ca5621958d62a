export { deleteImportFiles, deleteOldImports } from './cleanup.ts'
export type { ImportDependencies } from './dependencies.ts'
export { cancelImport, getImport, listImportIssues, listImports } from './manage.ts'
export {
  columnMap,
  conflictModes,
  type Import,
  type ImportFormat,
  type ImportInput,
  type ImportPartInput,
  importFormats,
  MAX_FILE_BYTES,
  MAX_PART_BYTES,
  sourceName,
} from './model.ts'
export { importPortalRoutes } from './portal-routes.ts'
export { runImports } from './run.ts'
export { addImportPart, applyDryRun, beginImport } from './start.ts'
export { findUnfinishedImport } from './store.ts'
