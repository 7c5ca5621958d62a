export type { BackupStatus, ProgramInfo } from './instance-info.ts'
export { instance } from './routes.ts'
