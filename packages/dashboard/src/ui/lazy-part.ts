/** Components in files of their own: loaded when they are first rendered, with the texts that only they have. */
import { lazyRouteComponent } from "@tanstack/react-router";
import { type ComponentType, lazy, type ReactNode } from "react";
import { loadPart, preloadPart } from "../service/load-part.ts";
import { loadTextsOf, type ScreenTexts } from "../texts/texts-of-screens.ts";
import { whenIdle } from "./when-idle.ts";

type PropsOf<Component> = Component extends (props: infer Props) => ReactNode ? Props : never;

/** `preload` never fails. */
export type LazyPart<Props> = ComponentType<Props> & { preload(): Promise<void> };

/** A part that the agent asks for. Without a connection it is suspended, in the `Suspense` around it. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  ...texts: ScreenTexts[]
): LazyPart<PropsOf<Module[Name]>> {
  const whole = () => withTexts(load, texts);
  return Object.assign(lazyComponent(whole, name), { preload: () => preloadPart(whole) });
}

/** A part of the first screen that it can be shown without. A missing one is left out until the page is loaded again. */
export function backgroundPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ComponentType<PropsOf<Module[Name]>> {
  return lazyComponent(
    () =>
      whenIdle()
        .then(() => loadPart(load))
        .catch(() => new Promise<never>(() => {})),
    name,
  );
}

/** The component of a route: until it is loaded, the router leaves the screen before it as it is. */
export function lazyScreen<Module extends object, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  ...texts: ScreenTexts[]
) {
  return lazyRouteComponent(() => withTexts(load, texts), name);
}

async function withTexts<Module>(load: () => Promise<Module>, texts: readonly ScreenTexts[]): Promise<Module> {
  const [module] = await Promise.all([loadPart(load), ...texts.map(loadTextsOf)]);
  return module;
}

function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ComponentType<PropsOf<Module[Name]>> {
  return lazy(async () => ({ default: (await load())[name] as ComponentType<PropsOf<Module[Name]>> }));
}
