/**
 * The scripted model, started by hand: `node packages/testing/src/serve-scripted-model.ts [port] [persona]`. Then:
 * `AI_BASE_URL=http://127.0.0.1:4010/v1 AI_MODEL=scripted AI_EMBEDDING_MODEL=use-lite-en npm start`
 */
import { type Persona, startScriptedModel } from "./scripted-model.ts";

const [port = "4010", persona = "honest"] = process.argv.slice(2);
const { url } = await startScriptedModel({ port: Number(port), persona: persona as Persona });
process.stdout.write(`AI_BASE_URL=${url} AI_MODEL=scripted AI_EMBEDDING_MODEL=use-lite-en\n`);
