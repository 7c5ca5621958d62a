import { testScreens } from './screen-checks.ts'

await testScreens(2)
