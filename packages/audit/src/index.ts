export * from './anchors.ts'
export * from './append.ts'
export * from './authenticate.ts'
export * from './blank-rows.ts'
export * from './blanked-names.ts'
export * from './chains.ts'
export { type Changes, parseChanges } from './changes.ts'
export { assertCheckValue, CHECK_VALUE_NAME, computeCheckValue, readCheckValue } from './check-value.ts'
export * from './comparison/compare-resources.ts'
export { RowReader } from './comparison/row-reader.ts'
export {
  type LoggedChange,
  openWorkspaceLog,
  PAGE_ROWS,
  readLoggedChanges,
  type WorkspaceLog,
} from './comparison/workspace-log.ts'
export { ACCOUNT_CREATION, WORKSPACE_CREATION, WORKSPACE_RESTORATION } from './creations.ts'
export * from './export.ts'
export * from './history.ts'
export * from './read.ts'
export {
  DELETION_ACTION,
  ERASE_RECORD,
  findLastDeletion,
  isRedaction,
  PSEUDONYMISE_RECORD,
} from './redactions.ts'
export { isRekeyPending, type RekeyReport, rekeyAudit, requestRekey } from './rekey.ts'
export { encryptPreviousKey } from './rekey-state.ts'
export * from './sequence.ts'
export * from './verify.ts'
