import { useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { useMe } from "../service/me.ts";
import { AskAdmin } from "../shell/ask-admin.tsx";
import { NotFound } from "../shell/not-found.tsx";
import { usePageTitle } from "../shell/page-title.ts";
import { settingsParts } from "./parts.ts";

/** One part of the settings, or one item of it. */
export function SettingsPart() {
  const { part: name, item } = useParams({ strict: false });
  const { may } = useMe();
  const part = settingsParts.find((each) => each.name === name);
  usePageTitle("item", part?.label);
  if (!part || (item !== undefined && !part.Item)) return <NotFound />;
  if (part.needs && !may.includes(part.needs)) return <AskAdmin />;
  return <Suspense>{item !== undefined && part.Item ? <part.Item key={item} id={item} /> : <part.Screen />}</Suspense>;
}
