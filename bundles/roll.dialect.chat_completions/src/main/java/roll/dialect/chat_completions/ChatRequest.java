package roll.dialect.chat_completions;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

/** The body of a request to {@code /v1/chat/completions}. */
final class ChatRequest {
  /** Current request field of the token limit; {@code max_tokens} is the older one. */
  private static final String LIMIT = "max_completion_tokens";

  /** The only supported type of tools. */
  private static final JsonPrimitive FUNCTION = new JsonPrimitive("function");

  /** The parameters of requests. */
  static final Set<String> KNOWN = known();

  private ChatRequest() {}

  private static Set<String> known() {
    Set<String> known = new HashSet<>(SamplingParams.NAMES);
    known.addAll(
        List.of(
            "messages",
            "tools",
            "tool_choice",
            "parallel_tool_calls",
            LIMIT,
            "top_logprobs",
            "response_format",
            "reasoning_effort",
            "chat_template_kwargs",
            "metadata",
            "store",
            "service_tier",
            "safety_identifier",
            "prompt_cache_key"));
    return Set.copyOf(known);
  }

  /**
   * Returns the call in {@code fields}.
   *
   * @throws ApiException if a parameter is invalid or not supported
   */
  static ChatCall read(RequestFields fields, ChatModel model) throws InterruptedException {
    fields.only("store", "false");
    fields.only("top_logprobs", "0");
    SamplingParams.refuseMissing(fields);
    ToolChoice tools =
        ToolChoice.read(fields, tools(fields, model.longest()), ChatRequest::function);
    String limit = fields.has(LIMIT) ? LIMIT : "max_tokens";
    int most = (int) fields.integer(limit, Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
    return new ChatCall(
        "messages",
        MessageReader.read(fields, tools.tools(), model),
        tools.prefix(),
        TemplateVariables.of(fields, TemplateVariables.effort(fields, "reasoning_effort")),
        ResponseFormats.apply(
            SamplingParams.sampling(fields, most, "stop", model.tokenizer().size()),
            "response_format",
            fields.get("response_format")),
        SamplingParams.stops(fields, model.tokenizer().size()),
        SamplingParams.choices(fields, 1),
        SamplingParams.seed(fields),
        fields.flag("logprobs"),
        fields.has("parallel_tool_calls") && !fields.flag("parallel_tool_calls"),
        fields.flag("stream"));
  }

  private static String function(JsonObject choice) {
    String where = ToolChoice.NAME + ".function";
    return JsonParts.text(where, JsonParts.object(where, choice.get("function")), "name");
  }

  private static List<?> tools(RequestFields fields, int longest) {
    if (!fields.has("tools")) {
      return List.of();
    }
    if (!(fields.get("tools") instanceof JsonArray list)) {
      throw fields.wrong("tools", "a list of functions");
    }
    int count = 0;
    for (JsonElement tool : list) {
      if (!(tool instanceof JsonObject entry
          && FUNCTION.equals(entry.get("type"))
          && entry.get("function") instanceof JsonObject function
          && function.get("name") instanceof JsonPrimitive name
          && name.isString())) {
        throw ApiException.wrong(
            "tools",
            "Invalid value for 'tools[%d]': expected {\"type\":\"function\",\"function\":{\"name\":…}}."
                .formatted(count));
      }
      FunctionTools.refuseStrict("tools[%d].function".formatted(count), function);
      count++;
    }
    if (count > longest) {
      throw ApiException.tooMany("tools", count, longest);
    }
    return (List<?>) RequestFields.plain(list);
  }
}
