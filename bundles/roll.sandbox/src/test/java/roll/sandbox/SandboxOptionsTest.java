package roll.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.TestOptions;

/** The options of a plugin that runs programs, and the sandbox they select. */
class SandboxOptionsTest {
  private final InMemoryPluginRegistry plugins =
      new InMemoryPluginRegistry().with("roll.sandbox", "weak", new Weak());

  /** A sandbox without isolation. */
  private record Weak() implements Sandbox {
    @Override
    public String description() {
      return "Runs anything.";
    }

    @Override
    public String boundaries(Isolation isolation) {
      if (isolation == Isolation.REQUIRED) {
        throw new UserException("nothing shuts programs in here");
      }
      return "nothing, for " + isolation.word();
    }

    @Override
    public SandboxSession open(SandboxLimits limits) {
      throw new UnsupportedOperationException();
    }
  }

  private static Options options(Map<String, Object> given) {
    return TestOptions.of("tool_config.python", given, SandboxOptions.options());
  }

  @Test
  void theLimitsAreTheStandardOnesOrThoseGiven() {
    assertEquals(SandboxLimits.STANDARD, SandboxOptions.limits(options(Map.of())));
    Map<String, Object> given =
        Map.of(
            "time_limit", 1.5, "memory_limit", 4096, "output_limit", 7, "isolation", "best_effort");
    assertEquals(
        new SandboxLimits(Duration.ofMillis(1500), 4L << 30, 7, Isolation.BEST_EFFORT),
        SandboxOptions.limits(options(given)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time_limit|0|expected a number from 0.1 to 3600, found '0'",
        "memory_limit|15|expected an integer from 16 to 65536, found '15'",
        "output_limit|0|expected an integer from 1 to 1048576, found '0'",
        "isolation|some|expected one of required, best_effort, none, found 'some'"
      })
  void mistakesAreOneLine(String key, String value, String problem) {
    Object given = value.matches("\\d+") ? (Object) Integer.valueOf(value) : value;
    assertEquals(
        "tool_config.python." + key + ": " + problem, userError(() -> options(Map.of(key, given))));
  }

  @Test
  void thoseOptionsAreKnownAgain() {
    assertTrue(SandboxOptions.areIn(options(Map.of())));
    assertFalse(
        SandboxOptions.areIn(TestOptions.defaults(List.of(SandboxOptions.options().getFirst()))));
  }

  @Test
  void theIsolationIsReportedAndTheSandboxLeased() {
    Options weak = options(Map.of("sandbox", "weak", "isolation", "none"));
    try (Lease<Sandbox> lease = SandboxOptions.lease(weak, plugins)) {
      assertEquals("nothing, for none", SandboxOptions.boundaries(lease.service(), weak));
      assertEquals(1, plugins.leased());
    }
    assertEquals(0, plugins.leased());
  }

  /** A lease on a sandbox that is refused is returned. */
  @Test
  void whatIsTooWeakOrMissingIsRefused() {
    Options strict = options(Map.of("sandbox", "weak"));
    assertEquals(
        "tool_config.python.isolation: nothing shuts programs in here",
        userError(() -> SandboxOptions.lease(strict, plugins)));
    assertEquals(0, plugins.leased());
    String missing =
        userError(() -> SandboxOptions.lease(options(Map.of("sandbox", "far")), plugins));
    assertTrue(missing.startsWith("tool_config.python.sandbox: "), missing);
    assertTrue(missing.contains("'far'"), missing);
  }
}
