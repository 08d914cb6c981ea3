package roll.runtime.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.plugin.Lease;
import roll.api.plugin.MissingPluginException;

/** Messages about a plugin that a configuration names and that is not available. */
class MissingPluginTest {
  /** A distribution without roll.tool.calculator. */
  private static final PluginRegistry SMALL =
      new PluginRegistry() {
        @Override
        public <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name) {
          return null;
        }

        @Override
        public List<String> names(Class<?> type, String kind) {
          return List.of("answer", "search");
        }

        @Override
        public @Nullable String lacking(String kind, String name) {
          return name.equals("calculator") ? "roll.tool.calculator" : null;
        }
      };

  private static String said(String name) {
    return assertThrows(
            MissingPluginException.class,
            () -> SMALL.require("agent.tools", Runnable.class, "roll.tool", name))
        .getMessage();
  }

  @Test
  void aPluginOfABundleThatTheDistributionLacks() {
    assertEquals(
        "agent.tools: this distribution lacks the bundle roll.tool.calculator, which offers"
            + " roll.tool 'calculator'; roll deploy roll.tool.calculator --from <repository> adds"
            + " it",
        said("calculator"));
  }

  @Test
  void aPluginThatNobodyHas() {
    assertEquals(
        "agent.tools: no roll.tool 'serch' is registered (registered: answer, search); did you"
            + " mean 'search'?",
        said("serch"));
  }
}
