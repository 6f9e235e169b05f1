import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, WebhookVerificationError } from "@frontdesk/client";

const secret = String(process.env.FRONTDESK_WEBHOOK_SECRET);

createServer(async (request, response) => {
  try {
    const delivery = await verifyWebhook({ body: await buffer(request), headers: request.headers, secret });
    console.log(delivery.id, delivery.event); // Keep it here, in a table or a queue, and work after the answer.
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
}).listen(Number(process.env.PORT ?? 3000));
