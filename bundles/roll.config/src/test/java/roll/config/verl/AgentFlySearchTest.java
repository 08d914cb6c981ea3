package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentConfig;
import roll.runtime.config.LoadedConfig;

/** AgentFly's search scripts name the tool and not the server. */
@NullMarked
class AgentFlySearchTest {
  private static final Map<String, Object> SERVER = Map.of("url", "http://localhost:8765/search");

  private final VerlFiles verl;

  AgentFlySearchTest(@TempDir Path folder) {
    this.verl = new VerlFiles(folder);
  }

  private LoadedConfig load(String... more) {
    List<String> all =
        new ArrayList<>(List.of("data.train_files=f", "agent.init_config.agent_type=hf"));
    all.addAll(List.of(more));
    return verl.load(all.toArray(String[]::new));
  }

  private static Map<String, Map<String, Object>> tools(LoadedConfig loaded) {
    AgentConfig agent =
        Objects.requireNonNull(loaded.run().rollout().customEnvs().get("Dataset")).agent();
    return Objects.requireNonNull(agent).tools();
  }

  @Test
  void theServerIsThatOfAgentFly() {
    LoadedConfig loaded = load("agent.init_config.tools=[search,answer]");
    assertEquals(Map.of("search", SERVER, "answer", Map.of()), tools(loaded));
    String notice =
        loaded.notices().stream().filter(n -> n.contains("8765")).findFirst().orElse("");
    assertTrue(notice.contains("RETRIEVER_API_URL"), notice);
    assertEquals(Map.of("search", SERVER), tools(load("agent.tools=search")));
  }

  @Test
  void whatIsSaidOfItCounts() {
    Map<String, Object> files = Map.of("files", List.of("a.txt"));
    String tools = "agent.tools=[search,answer]";
    assertEquals(
        files, tools(load(tools, "agent.tool_config={search: {files: [a.txt]}}")).get("search"));
    assertEquals(
        files,
        tools(load(tools, "custom_envs.Dataset.agent.tool_config.search.files=[a.txt]"))
            .get("search"));
    assertEquals(
        Map.of("search", SERVER, "answer", Map.of("a", 1)),
        tools(load(tools, "custom_envs.Dataset.agent.tool_config.answer.a=1")));
  }

  @Test
  void onlyItsOwnRunsHaveThatServer() {
    assertEquals(Map.of("answer", Map.of()), tools(load("agent.tools=[answer]")));
  }
}
