import { integer, nullable, type Row, text } from './column.ts'

export const departmentColumns = {
  workspace_id: text(),
  id: text(),
  name: text(),
  /** The name folded for comparison: unique among the live ones of a workspace. */
  name_key: text(),
  color: nullable(text()),
  description: nullable(text()),
  created_at: integer(),
  updated_at: integer(),
  /** Its place in the order that people gave the departments; equal ones go by name. */
  position: integer(),
  deleted_at: nullable(integer()),
  version: integer(),
}
export type DepartmentTable = Row<typeof departmentColumns>
