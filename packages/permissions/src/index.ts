export { presentRole } from './model.ts'
export { roles } from './portal-routes.ts'
export { workspacePermissions } from './routes.ts'
