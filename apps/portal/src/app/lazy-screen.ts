import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { retryLoad } from './load-code.ts'

/**
 * Creates the component of a route, whose code is loaded when it is opened. If that fails although the server can be reached, a newer
 * version has replaced the code, and the router loads the page again. Otherwise the screen says so and can be tried again: to load the
 * page would replace it, and what was entered in it, with an error page of the browser.
 * @param load imports the module of the screen
 * @param name the component of the screen in the module
 */
export const lazyScreen = <Name extends string>(
  // Looking into the components would make the type of the router depend on itself.
  load: () => Promise<Readonly<Record<Name, object>>>,
  name: Name,
) =>
  lazyRouteComponent<{ default: () => ReactNode }>(async () => {
    const module = await retryLoad(load)
    return { default: module[name] as () => ReactNode }
  })
