package roll.core.check;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.runtime.config.Extensions;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.plugin.PluginKind;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Options of plugins are checked before a run opens any. */
class OptionChecksTest {
  private final InMemoryPluginRegistry shelf = new InMemoryPluginRegistry();
  private final RunConfig small = ExampleRunConfigs.small(Path.of("folder"), 1);

  @AfterEach
  void nothingStaysLeased() {
    assertEquals(0, shelf.leased());
  }

  @Test
  void trackers() {
    shelf.with("roll.tracker", "paper", new Paper());
    assertDoesNotThrow(() -> OptionChecks.trackers(tracked(Map.of("width", 3)), shelf));
    assertEquals(
        "tracker_kwargs.paper.width: expected an integer from 1 to 200, found '0'",
        userError(() -> OptionChecks.trackers(tracked(Map.of("width", 0)), shelf)));
    assertEquals(
        "tracker_kwargs.paper.width: expected no 13 columns, found '13'",
        userError(() -> OptionChecks.trackers(tracked(Map.of("width", 13)), shelf)));
    assertEquals(
        "tracker_kwargs.paper: unknown key 'widht' (allowed: width); did you mean 'width'?",
        userError(() -> OptionChecks.trackers(tracked(Map.of("widht", 3)), shelf)));
  }

  private RunConfig tracked(Map<String, Object> options) {
    RunConfig run = ExampleRunConfigs.tracked(small, "paper");
    return ExampleRunConfigs.withTrackerOptions(run, Map.of("paper", options));
  }

  @Test
  void pluginsOfKindsOfOnesOwn() {
    assertEquals(
        "plugins: no roll.kind 'clock' is registered (registered: none)",
        userError(() -> OptionChecks.plugins(clock(Map.of()), shelf)));
    PluginKind<Supplier<?>> clocks = new Clocks();
    shelf
        .with("roll.kind", "clock", clocks)
        .with("roll.clock", "sun", (Supplier<Integer>) () -> 12);
    assertDoesNotThrow(() -> OptionChecks.plugins(clock(Map.of("zone", 2)), shelf));
    assertEquals(
        "plugins.clock.sun.zone: expected an integer from -11 to 14, found '30'",
        userError(() -> OptionChecks.plugins(clock(Map.of("zone", 30)), shelf)));
  }

  private RunConfig clock(Map<String, Object> options) {
    return ExampleRunConfigs.with(
        small, new Extensions(List.of(new PluginConfig("clock", "sun", options)), List.of()));
  }

  /** Writes on paper of some width. */
  private static final class Paper implements Tracker {
    private static final Option<Integer> WIDTH =
        Option.integer("width", 1, 200, "columns of the paper").withDefault(80);

    @Override
    public List<Option<?>> options() {
      return List.of(WIDTH);
    }

    @Override
    public void check(Options options) {
      if (options.get(WIDTH) == 13) {
        throw options.wrong(WIDTH, "no 13 columns");
      }
    }

    @Override
    public Tracking open(TrackedRun run) {
      throw new AssertionError("opened by a check");
    }
  }

  /** Clocks are suppliers. */
  private static final class Clocks implements PluginKind<Supplier<?>> {
    @Override
    @SuppressWarnings("unchecked") // of anything
    public Class<Supplier<?>> type() {
      return (Class<Supplier<?>>) (Class<?>) Supplier.class;
    }

    @Override
    public List<Option<?>> options(Supplier<?> service) {
      return List.of(Option.integer("zone", -11, 14, "hours from UTC").withDefault(0));
    }
  }
}
