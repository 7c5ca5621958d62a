export type { DepartmentInput, DepartmentQueryInput } from './model.ts'
export { departmentPortalRoutes } from './portal-routes.ts'
export { departments } from './routes.ts'
