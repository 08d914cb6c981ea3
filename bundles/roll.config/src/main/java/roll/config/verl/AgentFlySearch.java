package roll.config.verl;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.config.dialect.TranslatedKeys;
import roll.runtime.dialect.ConfigDraft;

/**
 * AgentFly's tool {@code search}: it asks a retrieval server whose address is a variable of the
 * environment, so its scripts name none.
 */
record AgentFlySearch(VerlOptions options, TranslatedKeys ours, ConfigDraft draft) {
  private static final String VARIABLE = "RETRIEVER_API_URL";
  private static final String STANDARD = "http://localhost:8765";
  private static final String TOOLS = "agent.init_args.tools";
  private static final String CONFIG = "custom_envs.Dataset.agent.tool_config.search";

  /**
   * Sets the retrieval server if the agent has the search tool and no other key sets its source.
   */
  void put() {
    if (!options.agent()
        || !options.given(TOOLS)
        || options.given("agent.init_args.tool_config")
        || ours.has(CONFIG)
        || !named(options.value(TOOLS))) {
      return;
    }
    String url = address();
    ours.put(CONFIG + ".url", url, TOOLS);
    draft.notice(
        "the tool search asks AgentFly's retrieval server at %s (%s); agent.tool_config={search: {files: […]}} searches files instead"
            .formatted(url, VARIABLE));
  }

  private static boolean named(@Nullable Object tools) {
    return tools instanceof List<?> list ? list.contains("search") : "search".equals(tools);
  }

  private String address() {
    String given = Objects.requireNonNullElse(draft.environment().apply(VARIABLE), "").strip();
    return (given.isEmpty() ? STANDARD : given).replaceAll("(?<!/)/+$", "") + "/search";
  }
}
