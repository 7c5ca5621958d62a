export type { BackupState, InstanceParts } from './about.ts'
export { instance } from './routes.ts'
