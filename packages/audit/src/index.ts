export * from './append.ts'
export { type Changes, parseChanges } from './changes.ts'
export * from './comparison/compare-resources.ts'
export { RowReader } from './comparison/row-reader.ts'
export {
  HIGHEST_ID,
  type LoggedChange,
  openWorkspaceLog,
  PAGE_ROWS,
  type WorkspaceLog,
} from './comparison/workspace-log.ts'
export * from './read.ts'
export * from './sequence.ts'
export * from './verify.ts'
