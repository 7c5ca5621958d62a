export { controlFormats } from './model.ts'
export { endpointSwitches } from './portal-routes.ts'
export { endpointControls } from './routes.ts'
export { setControl } from './service.ts'
