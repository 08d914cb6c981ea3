package roll.dialect.messages;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.openai.dialect.ChatModel;
import roll.openai.request.ApiException;
import roll.openai.request.ChatCall;
import roll.openai.request.FunctionTools;
import roll.openai.request.JsonParts;
import roll.openai.request.RequestFields;
import roll.openai.request.ResponseFormats;
import roll.openai.request.SamplingParams;
import roll.openai.request.TemplateVariables;
import roll.openai.request.ToolChoice;

/** The body of a request to {@code /v1/messages}. */
final class MessagesRequest {
  private static final String THINKING = "thinking";
  private static final String OUTPUT = "output_config";

  /** The parameters of requests. */
  static final Set<String> KNOWN =
      Set.of(
          "model",
          "messages",
          "system",
          "max_tokens",
          "stop_sequences",
          "stream",
          "temperature",
          "top_p",
          "top_k",
          "tools",
          ToolChoice.NAME,
          THINKING,
          "metadata",
          "service_tier",
          "inference_geo",
          "cache_control",
          "container",
          "context_management",
          "mcp_servers",
          OUTPUT,
          "min_p",
          "repetition_penalty",
          "stop_token_ids",
          "seed",
          TemplateVariables.NAME);

  private MessagesRequest() {}

  /**
   * Returns the call in {@code fields}.
   *
   * @param most maximum number of new tokens
   * @throws ApiException if a parameter is invalid or not supported
   */
  static ChatCall read(RequestFields fields, ChatModel model, int most)
      throws InterruptedException {
    fields.only("container");
    fields.only("mcp_servers", "[]");
    context(fields);
    Boolean thinking = thinking(fields);
    ToolChoice tools =
        choice(fields, FunctionTools.read(fields, model.longest(), MessagesRequest::tool));
    if (!tools.prefix().isEmpty() && thinking != null && thinking) {
      throw ApiException.wrong(
          THINKING, "Thinking may not be enabled when tool_choice forces tool use.");
    }
    return new ChatCall(
        "messages",
        ContentReader.read(fields, tools.tools(), model),
        tools.prefix(),
        TemplateVariables.of(fields, thinking),
        ResponseFormats.apply(
            SamplingParams.sampling(fields, most, "stop_sequences", model.tokenizer().size()),
            OUTPUT + ".format",
            format(fields)),
        SamplingParams.stops(fields, model.tokenizer().size()),
        1,
        SamplingParams.seed(fields),
        false,
        fields.get(ToolChoice.NAME) instanceof JsonObject choice
            && new JsonPrimitive(true).equals(choice.get("disable_parallel_tool_use")),
        fields.flag("stream"));
  }

  private static ToolChoice choice(RequestFields fields, List<?> tools) {
    if (!fields.has(ToolChoice.NAME)) {
      return ToolChoice.auto(tools);
    }
    JsonObject choice = JsonParts.object(ToolChoice.NAME, fields.get(ToolChoice.NAME));
    String type = JsonParts.text(ToolChoice.NAME, choice, "type");
    return switch (type) {
      case "auto" -> ToolChoice.auto(tools);
      case "none" -> ToolChoice.none();
      case "any" -> ToolChoice.any(tools);
      case "tool" -> ToolChoice.named(tools, JsonParts.text(ToolChoice.NAME, choice, "name"));
      default ->
          throw ApiException.invalid(
              ToolChoice.NAME + ".type", "expected auto, any, tool or none, found " + type);
    };
  }

  /** Returns whether the model is asked to think; null if the request does not say. */
  private static @Nullable Boolean thinking(RequestFields fields) {
    if (!fields.has(THINKING)) {
      return null;
    }
    JsonObject thinking = JsonParts.object(THINKING, fields.get(THINKING));
    String type = JsonParts.text(THINKING, thinking, "type");
    return switch (type) {
      case "enabled", "adaptive", "between_tools" -> true;
      case "disabled" -> false;
      default ->
          throw ApiException.invalid(
              THINKING + ".type", "expected enabled, adaptive or disabled, found " + type);
    };
  }

  /** Accepts edits of the context that concern thoughts, which is the chat template's matter. */
  private static void context(RequestFields fields) {
    String name = "context_management";
    if (!fields.has(name)) {
      return;
    }
    JsonElement edits = JsonParts.object(name, fields.get(name)).get("edits");
    JsonArray list =
        JsonParts.missing(edits) ? new JsonArray() : JsonParts.list(name + ".edits", edits);
    for (JsonElement edit : list) {
      JsonObject entry = JsonParts.object(name + ".edits", edit);
      if (!JsonParts.text(name + ".edits", entry, "type").startsWith("clear_thinking_")) {
        throw ApiException.invalid(name + ".edits", "this server does not edit the context");
      }
    }
  }

  private static @Nullable JsonElement format(RequestFields fields) {
    return fields.has(OUTPUT) ? JsonParts.object(OUTPUT, fields.get(OUTPUT)).get("format") : null;
  }

  private static JsonObject tool(int index, JsonElement json) {
    String where = "tools." + index;
    JsonObject tool = JsonParts.object(where, json);
    JsonElement type = tool.get("type");
    if (!JsonParts.missing(type) && !JsonParts.text(where, tool, "type").equals("custom")) {
      throw ApiException.invalid(where + ".type", "this server has tools of the type custom only");
    }
    JsonObject function = FunctionTools.named(where, tool);
    function.add("parameters", JsonParts.object(where + ".input_schema", tool.get("input_schema")));
    return function;
  }
}
