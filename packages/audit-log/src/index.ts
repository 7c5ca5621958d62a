export { auditLog } from './routes.ts'
