package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.PluginRegistry;

/** {@code services} on a registry of two. */
class ServicesCommandTest {
  private static final List<OfferedService> ALL =
      List.of(
          new OfferedService(
              7,
              "roll.tracker",
              List.of("console", "stdout"),
              "roll.tracking.console",
              "1.0.0",
              ""),
          new OfferedService(8, "roll.env", List.of("maze"), "maze", "2.0.0", "deploy/maze.jar"));

  private final PluginRegistry plugins =
      new PluginRegistry() {
        @Override
        public <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name) {
          return null;
        }

        @Override
        public List<String> names(Class<?> type, String kind) {
          return List.of();
        }

        @Override
        public List<OfferedService> offered(String kind) {
          return ALL.stream().filter(service -> service.kind().equals(kind)).toList();
        }
      };

  @Test
  void servicesSayWhoOffersWhat() throws Exception {
    try (Gogo gogo = new Gogo(new ServicesCommand(plugins), "services")) {
      assertEquals(
          """
          kind          id               bundle                 version  from
          roll.env      maze             maze                   2.0.0    deploy/maze.jar
          roll.tracker  console, stdout  roll.tracking.console  1.0.0\
          """,
          gogo.run("services"));
      assertEquals(2, gogo.run("services roll.env").lines().count());
      assertEquals("kind  id  bundle  version  from", gogo.run("services roll.loss"));
      UserException e = assertThrows(UserException.class, () -> gogo.run("services env"));
      assertTrue(
          e.getMessage()
              .startsWith(
                  "services: no kind 'env' (allowed: roll.agent, roll.agent.type,"
                      + " roll.curriculum,"));
    }
  }
}
