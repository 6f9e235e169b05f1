import { Link } from "@tanstack/react-router";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { t } from "../texts/texts.ts";

/** An unknown address, whether an agent is signed in or not. */
export function NotFoundPage() {
  return (
    <SignInFrame title={t("notFound.title")} text={t("notFound.text")}>
      <Link to="/" className="text-accent-text hover:underline">
        {t("notFound.back")}
      </Link>
    </SignInFrame>
  );
}
