import { useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { useMe } from "../service/me.ts";
import { NotFound } from "../shell/not-found.tsx";
import { settingsParts } from "./parts.ts";

/** One part of the settings; what somebody may not see is not there. */
export function SettingsPart() {
  const { part: name } = useParams({ from: "/signed-in/settings/$part" });
  const { may } = useMe();
  const part = settingsParts.find((each) => each.name === name && (!each.needs || may.includes(each.needs)));
  if (!part) return <NotFound />;
  return (
    <Suspense>
      <part.Screen />
    </Suspense>
  );
}
