/** The switch of one endpoint in one workspace; no row means `on`. */
export interface EndpointControlTable {
  workspace_id: string
  endpoint: string
  mode: 'on' | 'read_only' | 'off'
  message: string | null
  updated_at: number
  updated_by: string
}
