export { controlCodecs, presentControl } from './model.ts'
export { endpointControlPortalRoutes } from './portal-routes.ts'
export { endpointControls } from './routes.ts'
export { findControl, listControlsWithUsernames, listStoredControls, setControl } from './service.ts'
