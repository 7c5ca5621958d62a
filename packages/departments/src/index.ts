export type { DepartmentInput, DepartmentQueryInput } from './model.ts'
export { departmentStaff } from './portal-routes.ts'
export { departments } from './routes.ts'
