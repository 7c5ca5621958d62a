import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** The mode of one endpoint in one workspace; `on` where there is no row. */
export const endpointControlColumns = {
  workspace_id: id(),
  endpoint: text(),
  mode: text<'on' | 'read_only' | 'off'>(),
  message: nullable(text()),
  updated_at: integer(),
  updated_by: idOrText(),
}
export type EndpointControlTable = Row<typeof endpointControlColumns>
