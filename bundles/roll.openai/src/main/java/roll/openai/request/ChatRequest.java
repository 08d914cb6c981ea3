package roll.openai.request;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.File;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;
import roll.runtime.serving.PictureSettings;
import roll.runtime.serving.ServedModel;

/** The body of a request to {@code /v1/chat/completions}. */
public final class ChatRequest {
  /** Current request field of the token limit; {@code max_tokens} is the older one. */
  private static final String LIMIT = "max_completion_tokens";

  /** The only supported type of tools. */
  private static final JsonPrimitive FUNCTION = new JsonPrimitive("function");

  private static final Set<String> KNOWN = known();

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
            "chat_template_kwargs",
            "metadata",
            "store",
            "service_tier",
            "safety_identifier",
            "prompt_cache_key"));
    return Set.copyOf(known);
  }

  /** Parses the parameters in {@code body}. */
  public static RequestFields fields(String body) {
    return RequestFields.read(body, KNOWN);
  }

  /** Returns the generation that {@code fields} request of {@code model}. */
  public static GenerationSpec read(RequestFields fields, ServedModel model, PromptEncoder prompts)
      throws InterruptedException {
    ChatTemplate template = model.template();
    if (template == null) {
      throw ApiException.status(
          400, "This model has no chat template; /v1/completions continues texts.", null);
    }
    ChatMessages said = said(fields, model.longest(), model.pictures());
    String text = text(fields, model, template, said);
    int[] prompt = prompts.encode("messages", text, said.pictures());
    List<Integer> stops = SamplingParams.stops(fields, model.stops(), model.tokenizer().size());
    return spec(fields, said, prompt, stops, model.longest(), model.toolCalls());
  }

  /**
   * Refuses parameters that end an answer differently than the run does, in requests to a run's
   * policy.
   *
   * @throws ApiException if {@code fields} has such a parameter
   */
  public static void endsAsInRun(RequestFields fields) {
    fields.only("parallel_tool_calls", "true");
    fields.only("stop_token_ids", "[]");
  }

  /**
   * Returns the conversation in the request's {@code fields}.
   *
   * @param longest maximum number of tokens, and so of messages and of tools
   * @param pictures the pictures that the model accepts
   * @throws ApiException if a message or a tool is invalid or not supported
   */
  public static ChatMessages said(RequestFields fields, int longest, PictureSettings pictures)
      throws InterruptedException {
    fields.only("response_format", "{\"type\":\"text\"}");
    fields.only("store", "false");
    fields.only("top_logprobs", "0");
    boolean tools = tools(fields, longest);
    RequestPictures shown = new RequestPictures(pictures);
    List<Map<String, Object>> messages = MessageReader.read(fields, longest, shown);
    JsonElement listed = tools ? fields.get("tools") : null;
    return new ChatMessages(
        messages,
        listed == null ? List.of() : (List<?>) RequestFields.plain(listed),
        shown.shown());
  }

  /**
   * Returns the generation that {@code fields} request, for {@code prompt} rendered from {@code
   * said}.
   *
   * @param stops tokens that end an answer
   * @param longest maximum number of tokens of prompt and answer
   * @param toolCalls whether tool calls are parsed if the request has tools
   * @throws ApiException if the prompt leaves no room, or a parameter is invalid
   */
  public static GenerationSpec spec(
      RequestFields fields,
      ChatMessages said,
      int[] prompt,
      List<Integer> stops,
      int longest,
      boolean toolCalls) {
    int room = SamplingParams.room("messages", prompt, longest);
    return new GenerationSpec(
        List.of(prompt),
        said.pictures(),
        SamplingParams.choices(fields, 1),
        SamplingParams.sampling(fields, limit(fields, room)),
        stops,
        SamplingParams.seed(fields),
        fields.flag("logprobs"),
        toolCalls && !said.tools().isEmpty(),
        fields.has("parallel_tool_calls") && !fields.flag("parallel_tool_calls"),
        fields.flag("stream"),
        SamplingParams.usage(fields));
  }

  /** Returns whether the prompt lists tools: the request has some and does not forbid calls. */
  private static boolean tools(RequestFields fields, int longest) {
    fields.only("tool_choice", "\"none\"", "\"auto\"");
    if (!fields.has("tools")) {
      return false;
    }
    if (!(fields.get("tools") instanceof Iterable<?> list)) {
      throw fields.wrong("tools", "a list of functions");
    }
    int count = 0;
    for (Object tool : list) {
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
      count++;
    }
    if (count > longest) {
      throw ApiException.tooMany("tools", count, longest);
    }
    JsonElement choice = fields.get("tool_choice");
    return count > 0 && (choice == null || !choice.getAsString().equals("none"));
  }

  private static String text(
      RequestFields fields, ServedModel model, ChatTemplate template, ChatMessages said) {
    Map<String, @Nullable Object> context = new HashMap<>();
    context.put("documents", null);
    context.put("add_generation_prompt", true);
    context.putAll(model.chatTemplateKwargs());
    context.putAll(variables(fields));
    context.put("tools", said.tools().isEmpty() ? null : said.tools());
    return text(model, template, said.messages(), context);
  }

  /**
   * Returns the chat template's variables in {@code fields} besides the messages.
   *
   * @throws ApiException if they are not an object
   */
  public static Map<String, Object> variables(RequestFields fields) {
    JsonElement variables = fields.get("chat_template_kwargs");
    Map<String, Object> named = new LinkedHashMap<>();
    if (variables != null) {
      if (!(RequestFields.plain(variables) instanceof Map<?, ?> map)) {
        throw fields.wrong("chat_template_kwargs", "an object");
      }
      map.forEach((name, value) -> named.put(String.valueOf(name), value));
    }
    return named;
  }

  /** Renders the chat template; an error message hides the folder of the model. */
  private static String text(
      ServedModel model,
      ChatTemplate template,
      List<Map<String, Object>> messages,
      Map<String, @Nullable Object> context) {
    try {
      return ToolCallRenderer.render(template, messages, context);
    } catch (UserException e) {
      String folder = model.tokenizer().folder() + File.separator;
      throw ApiException.wrong("messages", e.getMessage().replace(folder, ""));
    }
  }

  /** Returns the maximum number of new tokens: the requested one, at most {@code room}. */
  private static int limit(RequestFields fields, int room) {
    String name = fields.has(LIMIT) ? LIMIT : "max_tokens";
    return (int) Math.min(room, fields.integer(name, room, 1, Integer.MAX_VALUE));
  }
}
