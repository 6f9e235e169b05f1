import { type InboxQuery, inboxOrders } from "@frontdesk/core/domain/inbox";
import { useNavigate } from "@tanstack/react-router";
import { ArrowDownUp } from "lucide-react";
import { t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Menu, MenuChoice } from "../ui/menu.tsx";
import { searchOf, usualOrder } from "./inbox-search.ts";

/** The order of the list. It is in the address, unless it is the usual one of the view. */
export function OrderMenu({ query }: { query: InboxQuery }) {
  const navigate = useNavigate({ from: "/inbox" });
  const { view, order = "newest" } = query;
  return (
    <Menu
      trigger={
        <IconButton label={t("order.title")} className={cx(order !== usualOrder(view) && "text-accent-text!")}>
          <ArrowDownUp size={16} />
        </IconButton>
      }
    >
      <MenuChoice
        value={order}
        choices={inboxOrders.map((value) => ({ value, label: t(`order.${value}`) }))}
        onChange={(next) => navigate({ to: ".", search: searchOf({ ...query, order: next }), replace: true })}
      />
    </Menu>
  );
}
