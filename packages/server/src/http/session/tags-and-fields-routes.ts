import { sessionOperations } from "@frontdesk/core/contract/session";
import type { FastifyInstance } from "fastify";
import { createCustomField } from "../../custom-data/create-custom-field.ts";
import { deleteCustomField } from "../../custom-data/delete-custom-field.ts";
import { listFieldUse } from "../../custom-data/list-field-use.ts";
import { updateCustomField } from "../../custom-data/update-custom-field.ts";
import type { Perform } from "../../perform.ts";
import { createTag } from "../../tags/create-tag.ts";
import { deleteTag } from "../../tags/delete-tag.ts";
import { listTagUse } from "../../tags/list-tag-use.ts";
import { updateTag } from "../../tags/update-tag.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

/**
 * The team's tags and custom fields themselves. Programs and assistants create them by using them, and remove them from a
 * conversation or a contact; only the dashboard renames and deletes them.
 */
export async function tagsAndFieldsRoutes(app: FastifyInstance, services: SessionDoors & { perform: Perform }) {
  const { perform } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.listTagUse, async ({ agent }) => ({ tags: await perform(agent, listTagUse, {}) }));

  serve(sessionOperations.createTag, async ({ agent, body }) => ({ tag: await perform(agent, createTag, body) }));

  serve(sessionOperations.updateTag, async ({ agent, params, body }) => ({
    tag: await perform(agent, updateTag, { tagId: params.id, change: body }),
  }));

  serve(sessionOperations.deleteTag, async ({ agent, params }) => {
    await perform(agent, deleteTag, { tagId: params.id });
    return {};
  });

  serve(sessionOperations.listFieldUse, async ({ agent }) => ({
    custom_fields: await perform(agent, listFieldUse, {}),
  }));

  serve(sessionOperations.createCustomField, async ({ agent, body: { name } }) => ({
    custom_field: await perform(agent, createCustomField, { name }),
  }));

  serve(sessionOperations.updateCustomField, async ({ agent, params, body: { name } }) => ({
    custom_field: await perform(agent, updateCustomField, { fieldId: params.id, name }),
  }));

  serve(sessionOperations.deleteCustomField, async ({ agent, params }) => {
    await perform(agent, deleteCustomField, { fieldId: params.id });
    return {};
  });
}
