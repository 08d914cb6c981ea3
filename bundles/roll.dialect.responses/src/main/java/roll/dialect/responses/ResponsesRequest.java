package roll.dialect.responses;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.openai.dialect.ChatModel;
import roll.openai.request.ApiException;
import roll.openai.request.ChatCall;
import roll.openai.request.ChatMessages;
import roll.openai.request.FunctionTools;
import roll.openai.request.JsonParts;
import roll.openai.request.RequestFields;
import roll.openai.request.ResponseFormats;
import roll.openai.request.SamplingParams;
import roll.openai.request.TemplateVariables;
import roll.openai.request.ToolChoice;

/** The body of a request to {@code /v1/responses}. */
final class ResponsesRequest {
  /** The parameter with the id of the response that a request continues. */
  static final String PREVIOUS = "previous_response_id";

  /** The parameter with a system message for one request. */
  static final String INSTRUCTIONS = "instructions";

  /** The conversation that continues no response. */
  static final ChatMessages NOTHING = new ChatMessages(List.of(), List.of(), List.of());

  private static final String ENCRYPTED = "reasoning.encrypted_content";

  /** The parameters of requests. */
  static final Set<String> KNOWN =
      Set.of(
          "model",
          "input",
          INSTRUCTIONS,
          PREVIOUS,
          "max_output_tokens",
          "temperature",
          "top_p",
          "tools",
          ToolChoice.NAME,
          "parallel_tool_calls",
          "reasoning",
          "text",
          "include",
          "stream",
          "stream_options",
          "store",
          "truncation",
          "background",
          "conversation",
          "prompt",
          "top_logprobs",
          "max_tool_calls",
          "metadata",
          "user",
          "service_tier",
          "safety_identifier",
          "prompt_cache_key",
          "prompt_cache_retention",
          "client_metadata",
          "top_k",
          "min_p",
          "repetition_penalty",
          "stop",
          "stop_token_ids",
          "seed",
          TemplateVariables.NAME);

  private ResponsesRequest() {}

  /**
   * Returns the call in {@code fields}.
   *
   * @param before the conversation that it continues
   * @throws ApiException if a parameter is invalid or not supported
   */
  static ChatCall read(RequestFields fields, ChatMessages before, ChatModel model)
      throws InterruptedException {
    fields.only("truncation", "\"disabled\"");
    fields.only("background", "false");
    fields.only("conversation");
    fields.only("prompt");
    fields.only("top_logprobs", "0");
    ToolChoice tools =
        ToolChoice.read(
            fields,
            FunctionTools.read(fields, model.longest(), ResponsesRequest::tool),
            choice -> JsonParts.text(ToolChoice.NAME, choice, "name"));
    int most = (int) fields.integer("max_output_tokens", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
    return new ChatCall(
        "input",
        ItemReader.read(fields, before, tools.tools(), model),
        tools.prefix(),
        TemplateVariables.of(fields, thinking(fields)),
        ResponseFormats.apply(
            SamplingParams.sampling(fields, most, "stop", model.tokenizer().size()),
            "text.format",
            format(fields)),
        SamplingParams.stops(fields, model.tokenizer().size()),
        1,
        SamplingParams.seed(fields),
        false,
        fields.has("parallel_tool_calls") && !fields.flag("parallel_tool_calls"),
        fields.flag("stream"));
  }

  /** Returns whether reasoning items have the content that clients send back unread. */
  static boolean included(RequestFields fields) {
    boolean included = false;
    if (fields.has("include")) {
      for (JsonElement one : JsonParts.list("include", fields.get("include"))) {
        if (!JsonParts.text("include", one).equals(ENCRYPTED)) {
          throw ApiException.invalid(
              "include", "this server includes " + ENCRYPTED + " only, found " + one);
        }
        included = true;
      }
    }
    return included;
  }

  private static @Nullable JsonElement format(RequestFields fields) {
    return fields.has("text") ? JsonParts.object("text", fields.get("text")).get("format") : null;
  }

  /** Returns whether the model is asked to think; null if the request does not say. */
  private static @Nullable Boolean thinking(RequestFields fields) {
    if (!fields.has("reasoning")) {
      return null;
    }
    JsonObject reasoning = JsonParts.object("reasoning", fields.get("reasoning"));
    return JsonParts.missing(reasoning.get("effort"))
        ? null
        : (Boolean)
            TemplateVariables.thinks(
                "reasoning.effort", JsonParts.text("reasoning", reasoning, "effort"));
  }

  private static JsonObject tool(int index, JsonElement json) {
    String where = "tools[" + index + "]";
    JsonObject tool = JsonParts.object(where, json);
    String type = JsonParts.text(where, tool, "type");
    if (!type.equals("function")) {
      throw ApiException.invalid(
          where + ".type", "this server has tools of the type function only, found " + type);
    }
    JsonObject function = FunctionTools.named(where, tool);
    if (!JsonParts.missing(tool.get("parameters"))) {
      function.add("parameters", JsonParts.object(where + ".parameters", tool.get("parameters")));
    }
    return function;
  }
}
