import { useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { useMe } from "../service/me.ts";
import { NotFound } from "../shell/not-found.tsx";
import { usePageTitle } from "../shell/page-title.ts";
import { settingsParts } from "./parts.ts";

/** One part of the settings, or one item of it; parts that the agent may not see are not found. */
export function SettingsPart() {
  const { part: name, item } = useParams({ strict: false });
  const { may } = useMe();
  const part = settingsParts.find((each) => each.name === name && (!each.needs || may.includes(each.needs)));
  usePageTitle("item", part?.label);
  if (!part || (item !== undefined && !part.Item)) return <NotFound />;
  return <Suspense>{item !== undefined && part.Item ? <part.Item key={item} id={item} /> : <part.Screen />}</Suspense>;
}
