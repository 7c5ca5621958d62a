export { presentRole } from './model.ts'
export { roles } from './portal-routes.ts'
export { getRole } from './read.ts'
export { workspacePermissions } from './routes.ts'
