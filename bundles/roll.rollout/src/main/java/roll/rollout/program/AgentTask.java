package roll.rollout.program;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.env.Episode;
import roll.api.rollout.EpisodeContext;
import roll.api.tool.ToolSchema;
import roll.rollout.prompt.PromptSettings;
import roll.rollout.supervise.EpisodeTrace;

/**
 * The description of an episode for a program.
 *
 * @param json the task as one line of JSON
 * @param variables environment variables for a process of its own
 * @param values values of placeholders
 */
record AgentTask(String json, Map<String, String> variables, Map<String, String> values) {
  /** The name of the policy in requests. */
  static final String MODEL = "policy";

  /** Maximum bytes of the task in a variable: Linux allows 128 KiB. */
  private static final int MOST_VARIABLE = 100_000;

  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  /**
   * Creates the task of {@code episode}, without its facts, which may hold the answer.
   *
   * @param url base URL of the endpoint
   * @param key API key, also the id of the episode
   * @param tools tools that the program may call, or null
   * @param trace the spans of the episode
   */
  static AgentTask of(
      EpisodeContext context,
      Episode episode,
      @Nullable RunTools tools,
      String url,
      String key,
      EpisodeTrace trace) {
    List<ToolSchema> schemas = tools == null ? List.of() : tools.schemas();
    Map<String, Object> task = new LinkedHashMap<>();
    task.put("id", key);
    task.put("base_url", url);
    task.put("api_key", key);
    task.put("model", MODEL);
    task.put("tag", context.config().tag());
    task.put("purpose", context.start().purpose());
    task.put("seed", context.key().seed());
    task.put("member", context.key().member());
    List<Message> before = episode.observed().before();
    String system = PromptSettings.system(context.config(), before);
    task.put("system", system.isEmpty() ? null : system);
    task.put(
        "messages",
        before.stream()
            .filter(said -> !said.role().equals("system"))
            .map(AgentTask::message)
            .toList());
    task.put("instruction", context.scenario().instruction());
    task.put("question", episode.observation());
    task.put("tools", schemas.stream().map(ToolSchema::listed).toList());
    task.put("max_steps", context.config().limits().maxSteps());
    String traceparent = trace.traceparent();
    if (traceparent != null) {
      task.put("traceparent", traceparent);
    }
    String json = GSON.toJson(task);
    Map<String, String> values =
        Map.of("question", episode.observation(), "base_url", url, "api_key", key, "model", MODEL);
    Map<String, String> variables = variables(url, key, json);
    if (traceparent != null) {
      variables.put("TRACEPARENT", traceparent);
    }
    return new AgentTask(json, variables, values);
  }

  private static Map<String, String> message(Message said) {
    Map<String, String> message = new LinkedHashMap<>();
    message.put("role", said.role());
    message.put("content", said.content());
    return message;
  }

  /** Returns variables that exclude loopback from HTTP proxies. */
  static Map<String, String> noProxy() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String name : List.of("NO_PROXY", "no_proxy")) {
      String set = Objects.requireNonNullElse(System.getenv(name), "");
      variables.put(name, (set.isEmpty() ? "" : set + ",") + "127.0.0.1,localhost");
    }
    return variables;
  }

  private static Map<String, String> variables(String url, String key, String task) {
    Map<String, String> variables = new LinkedHashMap<>(noProxy());
    variables.put("OPENAI_BASE_URL", url);
    variables.put("OPENAI_API_KEY", key);
    variables.put("OPENAI_MODEL", MODEL);
    variables.put("ANTHROPIC_BASE_URL", url.substring(0, url.lastIndexOf('/'))); // without v1
    variables.put("ANTHROPIC_API_KEY", key);
    variables.put("ANTHROPIC_MODEL", MODEL);
    if (task.getBytes(StandardCharsets.UTF_8).length <= MOST_VARIABLE) {
      variables.put("ROLL_TASK", task);
    }
    return variables;
  }
}
