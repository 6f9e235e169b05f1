import { rest } from "@frontdesk/core/contract";
import { listCustomData } from "../../custom-data/list-custom-data.ts";
import { listCustomFields } from "../../custom-data/list-custom-fields.ts";
import { presentCustomData, presentCustomField } from "../../custom-data/present-custom-data.ts";
import { removeCustomData } from "../../custom-data/remove-custom-data.ts";
import { setCustomData } from "../../custom-data/set-custom-data.ts";
import { pageOfRows } from "../../list.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

export const customDataRoutes = [
  endpoint(
    rest.listCustomFields,
    listCustomFields,
    () => ({}),
    (fields, { url, query }) => listBody(url, pageOf(query), pageOfRows(pageOf(query), fields), presentCustomField),
  ),
  endpoint(
    rest.listContactCustomData,
    listCustomData,
    ({ params }) => ({ contactId: params.id }),
    (values, { url, query }) => listBody(url, pageOf(query), pageOfRows(pageOf(query), values), presentCustomData),
  ),
  endpoint(
    rest.setCustomData,
    setCustomData,
    ({ params, body }) => ({ contactId: params.id, name: params.name, value: body.value, mustExist: false }),
    (set) => ({ message: "Custom data set.", data: presentCustomData(set) }),
  ),
  endpoint(
    rest.removeCustomData,
    removeCustomData,
    ({ params }) => ({ contactId: params.id, name: params.name }),
    () => ({ message: "Custom data removed." }),
  ),
];
