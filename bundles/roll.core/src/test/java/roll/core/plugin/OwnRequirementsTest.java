package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import roll.runtime.config.Extensions;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.plugin.PluginKind;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** A run waits for a kind of one's own, and then for its plugins. */
class OwnRequirementsTest {
  private final InMemoryPluginRegistry shelf = new InMemoryPluginRegistry();
  private final RunConfig run =
      ExampleRunConfigs.with(
          ExampleRunConfigs.small(Path.of("folder"), 1),
          new Extensions(List.of(new PluginConfig("clock", "sun", Map.of())), List.of()));

  private List<String> missing() {
    return PluginRequirement.own(run, shelf).stream()
        .filter(requirement -> requirement.missing(shelf))
        .map(requirement -> requirement.notice().replaceFirst(":.*", ""))
        .toList();
  }

  @Test
  void theKindAndThenThePlugin() {
    assertEquals(List.of("no service roll.kind=clock"), missing());
    PluginKind<Supplier<?>> clocks = PluginKindOf.suppliers();
    shelf.with("roll.kind", "clock", clocks);
    assertEquals(List.of("no service roll.clock=sun"), missing());
    shelf.with("roll.clock", "sun", (Supplier<Integer>) () -> 12);
    assertEquals(List.of(), missing());
    assertEquals(0, shelf.leased());
  }

  /** Clocks are suppliers. */
  private static final class PluginKindOf implements PluginKind<Supplier<?>> {
    static PluginKind<Supplier<?>> suppliers() {
      return new PluginKindOf();
    }

    @Override
    @SuppressWarnings("unchecked") // of anything
    public Class<Supplier<?>> type() {
      return (Class<Supplier<?>>) (Class<?>) Supplier.class;
    }
  }
}
