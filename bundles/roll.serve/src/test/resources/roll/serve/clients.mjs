// Asks a server with the official clients for JavaScript, and prints as JSON what they decoded.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const [mode, address, key] = process.argv.slice(2);
const openai = new OpenAI({ baseURL: `${address}/v1`, apiKey: key, maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: address, apiKey: key, maxRetries: 0 });
const model = "tiny";
const names = mode === "text" ? [] : ["weather", "now"];
const functions = names.map((name) => ({ type: "function", function: { name, parameters: {} } }));
const chat = {
  model,
  tools: functions.length ? functions : undefined,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
  ],
};
const responses = {
  model,
  instructions: "Be brief.",
  input: "hi",
  tools: names.map((name) => ({ type: "function", name, parameters: {}, strict: false })),
};
const messages = {
  model,
  max_tokens: 300,
  system: "Be brief.",
  tools: names.map((name) => ({ name, input_schema: { type: "object" } })),
  messages: [{ role: "user", content: "hi" }],
};
const results = ["sun", "noon"];

function ofChat(completion) {
  const { content, tool_calls } = completion.choices[0].message;
  const calls = (tool_calls ?? []).map((c) => `${c.function.name} ${c.function.arguments}`);
  return [`text ${content}`, ...calls];
}

function ofResponse(response) {
  return response.output.map((item) => {
    switch (item.type) {
      case "reasoning":
        return `thought ${item.content[0].text}`;
      case "message":
        return `text ${item.content[0].text}`;
      default:
        return `${item.name} ${item.arguments}`;
    }
  });
}

function ofMessage(message) {
  return message.content.map((block) => {
    switch (block.type) {
      case "thinking":
        return `thought ${block.thinking}`;
      case "text":
        return `text ${block.text}`;
      default:
        return `${block.name} ${JSON.stringify(block.input)}`;
    }
  });
}

async function decoded() {
  return {
    chat: ofChat(await openai.chat.completions.create(chat)),
    chatStream: ofChat(await openai.chat.completions.stream(chat).finalChatCompletion()),
    responses: ofResponse(await openai.responses.create(responses)),
    responsesStream: ofResponse(await openai.responses.stream(responses).finalResponse()),
    messages: ofMessage(await anthropic.messages.create(messages)),
    messagesStream: ofMessage(await anthropic.messages.stream(messages).finalMessage()),
  };
}

/** Sends the results of both calls; the server is asked twice by each client. */
async function continued() {
  const completion = await openai.chat.completions.create(chat);
  const said = completion.choices[0].message;
  await openai.chat.completions.create({
    ...chat,
    messages: [
      ...chat.messages,
      said,
      ...said.tool_calls.map((c, i) => ({
        role: "tool",
        tool_call_id: c.id,
        content: results[i],
      })),
    ],
  });
  const response = await openai.responses.create(responses);
  const outputs = response.output
    .filter((item) => item.type === "function_call")
    .map((c, i) => ({ type: "function_call_output", call_id: c.call_id, output: results[i] }));
  await openai.responses.create({
    ...responses,
    previous_response_id: response.id,
    input: outputs,
  });
  const references = response.output.map(({ id }) => ({ type: "item_reference", id }));
  await openai.responses.create({
    ...responses,
    input: [{ role: "user", content: "hi" }, ...references, ...outputs],
  });
  const stored = await openai.responses.retrieve(response.id);
  await openai.responses.delete(response.id);
  const message = await anthropic.messages.create(messages);
  await anthropic.messages.create({
    ...messages,
    messages: [
      ...messages.messages,
      { role: "assistant", content: message.content },
      {
        role: "user",
        content: message.content
          .filter((block) => block.type === "tool_use")
          .map((c, i) => ({ type: "tool_result", tool_use_id: c.id, content: results[i] })),
      },
    ],
  });
  return { stored: ofResponse(stored), errors: [await failure(() => openai.responses.retrieve(response.id))] };
}

async function failure(ask) {
  try {
    await ask();
    return "none";
  } catch (e) {
    return `${e.constructor.name} ${e.status} ${e.param ?? e.type}`;
  }
}

async function failures() {
  const wrong = { apiKey: "sk-wrong" };
  return {
    errors: [
      await failure(() => openai.chat.completions.create({ ...chat, temperature: -1 })),
      await failure(() => openai.responses.create({ ...responses, temperature: -1 })),
      await failure(() => anthropic.messages.create({ ...messages, temperature: -1 })),
      await failure(() => openai.chat.completions.create({ ...chat, model: "big" })),
      await failure(() => anthropic.messages.create({ ...messages, model: "big" })),
      await failure(() => openai.withOptions(wrong).chat.completions.create(chat)),
      await failure(() => anthropic.withOptions(wrong).messages.create(messages)),
    ],
  };
}

const modes = { text: decoded, calls: decoded, continued, failures };
console.log(JSON.stringify(await modes[mode]()));
