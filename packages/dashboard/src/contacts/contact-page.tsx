import type { InboxContact } from "@frontdesk/core/contract/inbox";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Trash2, X } from "lucide-react";
import { CustomDataEditor } from "../conversation/custom-data-editor.tsx";
import { VisitorFacts } from "../conversation/visitor-facts.tsx";
import { contactName } from "../inbox/contact-name.ts";
import { useIsErased } from "../inbox/live-inbox.ts";
import { ContactErasing } from "../privacy/contact-erasing.tsx";
import { queries } from "../service/queries.ts";
import { rest } from "../service/rest.ts";
import { usePageTitle } from "../shell/page-title.ts";
import { ago, dateOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { useForm } from "../ui/form.tsx";
import { Section } from "../ui/page.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SaveChanges } from "../ui/save-changes.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { showToast } from "../ui/toast.ts";
import { useUnsaved } from "../ui/unsaved.tsx";
import { ContactBlock } from "./contact-block.tsx";
import { ContactConversations } from "./contact-conversations.tsx";
import { ContactExport } from "./contact-export.tsx";
import { contactQuery } from "./contact-query.ts";
import { SourceNote, sourceText } from "./detail-source.tsx";

/** One contact: their fields, custom data and conversations. */
export function ContactPage() {
  const { contactId: id } = useParams({ from: "/signed-in/contacts/$contactId" });
  const navigate = useNavigate();
  const isErased = useIsErased(id);
  const found = useQuery({ ...contactQuery(id), enabled: !isErased });
  usePageTitle("item", found.data && contactName(found.data.contact.attributes));
  const leave = () => void navigate({ to: "/contacts", search: true });
  if (isErased) {
    return (
      <aside role="status" className="w-full border-line border-s lg:w-96">
        <EmptyState icon={Trash2} title={t("erased.contact")}>
          <Button onClick={leave}>{t("erased.toContacts")}</Button>
        </EmptyState>
      </aside>
    );
  }
  if (found.isError) {
    return (
      <aside className="w-full border-line border-s lg:w-96">
        <EmptyState icon={X} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      </aside>
    );
  }
  if (!found.data) {
    return (
      <aside className="w-full border-line border-s lg:w-96">
        <SkeletonRows rows={6} height={56} />
      </aside>
    );
  }
  const { contact, country_guessed, custom_data, conversations, detail_sources: sources } = found.data;
  const { attributes } = contact;
  const name = contactName(attributes);
  return (
    <aside className="w-full shrink-0 overflow-y-auto border-line border-s lg:w-96" aria-label={name}>
      <header className="flex items-start gap-3 p-4">
        <Avatar id={id} name={name} size="huge" online={attributes.online_status === "online"} />
        <div className="min-w-0 flex-1 pt-1">
          <h2 dir="auto" className="aligned wrap-anywhere font-semibold text-title">
            {name}
          </h2>
          {attributes.verified_id !== null && <SourceNote source="identity" />}
          <p className="text-meta text-subtle">
            {t("contacts.since", { when: dateOf(attributes.created_at) })} ·{" "}
            {t("lastSeen", { when: ago(attributes.last_active_at) })}
          </p>
          {attributes.blocked_at && <Badge tone="danger">{t("blocked")}</Badge>}
        </div>
        <IconButton label={t("close")} onClick={leave}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="px-4 pb-6">
        <Section title={t("details.person")}>
          <ContactForm
            key={id}
            id={id}
            name={attributes.name}
            email={attributes.email}
            phone={attributes.phone}
            sources={sources}
          />
          <div className="mt-4 empty:hidden">
            <VisitorFacts contact={contact} countryGuessed={country_guessed} />
          </div>
        </Section>
        <Section title={t("details.data")}>
          <CustomDataEditor
            contactId={id}
            data={custom_data}
            sources={sources.custom_data}
            onChange={() => queries.invalidateQueries({ queryKey: contactQuery(id).queryKey })}
          />
        </Section>
        <ContactConversations conversations={conversations} />
        <div className="flex flex-col items-start gap-3 pt-6">
          <div className="flex flex-wrap gap-2">
            <ContactBlock id={id} isBlocked={attributes.blocked_at !== null} />
            <ContactExport id={id} name={name} />
          </div>
          <ContactErasing key={id} id={id} name={name} hold={found.data.hold} onErased={leave} />
        </div>
      </div>
    </aside>
  );
}

function ContactForm({
  id,
  sources,
  ...was
}: {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  sources: InboxContact["detail_sources"];
}) {
  const unsaved = useUnsaved();
  const form = useForm(async (values) => {
    const body = Object.fromEntries(
      Object.entries(values).filter(
        ([field, value]) => value.trim() && value.trim() !== (was[field as keyof typeof was] ?? ""),
      ),
    );
    const isSame = Object.keys(body).length === 0;
    await unsaved.saving(isSame ? Promise.resolve() : rest.updateContact({ params: { id }, body }));
    if (isSame) return;
    showToast(t("saved"));
    await Promise.all([
      queries.invalidateQueries({ queryKey: contactQuery(id).queryKey }),
      queries.invalidateQueries({ queryKey: ["contacts"] }),
    ]);
  });
  return (
    <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-3">
      <Field label={t("name")} problem={form.problemOf("name")}>
        <TextInput name="name" defaultValue={was.name ?? ""} />
      </Field>
      <Field
        label={t("email")}
        hint={sourceText(sources.email) && <SourceNote source={sources.email} />}
        problem={form.problemOf("email")}
      >
        <TextInput name="email" type="email" defaultValue={was.email ?? ""} />
      </Field>
      <Field
        label={t("phone")}
        hint={sourceText(sources.phone) && <SourceNote source={sources.phone} />}
        problem={form.problemOf("phone")}
      >
        <TextInput name="phone" type="tel" defaultValue={was.phone ?? ""} />
      </Field>
      <SaveChanges form={form} unsaved={unsaved} />
    </form>
  );
}
