export { type DepartmentInput, type DepartmentQueryInput, presentDepartment } from './model.ts'
export { departmentPortalRoutes } from './portal-routes.ts'
export { departments } from './routes.ts'
export { findDepartment } from './service.ts'
