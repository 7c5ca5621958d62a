import { type Row, text } from './column.ts'

/** A secret that the processes of an instance share. */
export const instanceSecretColumns = {
  name: text(),
  value: text(),
}
export type InstanceSecretTable = Row<typeof instanceSecretColumns>
