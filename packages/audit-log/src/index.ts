export { instanceAuditLog } from './instance-routes.ts'
export { auditLog } from './routes.ts'
