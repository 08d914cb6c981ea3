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

/**
 * What a program is told of its episode.
 *
 * @param json all of it, on one line
 * @param variables the same for a program that is started for it
 */
record AgentTask(String json, Map<String, String> variables) {
  /** What the policy is called in requests. */
  static final String MODEL = "policy";

  /** Linux takes no variable of more than 128 KiB. */
  private static final int MOST_VARIABLE = 100_000;

  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  /**
   * The task of {@code episode}: the world's texts, never what is known of the answer.
   *
   * @param url where the policy is asked
   * @param key by which, and the id of the episode
   * @param tools of the run that the program may call, or null
   */
  static AgentTask of(
      EpisodeContext context, Episode episode, @Nullable RunTools tools, String url, String key) {
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
    String json = GSON.toJson(task);
    return new AgentTask(json, variables(url, key, json));
  }

  private static Map<String, String> message(Message said) {
    Map<String, String> message = new LinkedHashMap<>();
    message.put("role", said.role());
    message.put("content", said.content());
    return message;
  }

  /** Variables by which clients ask loopback through no proxy. */
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
    if (task.getBytes(StandardCharsets.UTF_8).length <= MOST_VARIABLE) {
      variables.put("ROLL_TASK", task);
    }
    return variables;
  }
}
