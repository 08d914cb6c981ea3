package roll.env.click_and_read;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.testkit.EnvironmentContract;

/** The contract in the real browser. */
@Tag("processes")
@EnabledIf(
    value = "roll.env.click_and_read.BrowserTest#installed",
    disabledReason = "no Chromium on the PATH: picture mode is not tested")
class PictureContractTest extends EnvironmentContract {
  @AutoClose
  private static final ClickAndReadEnvironment ENVIRONMENT = new ClickAndReadEnvironment();

  /** Pages that the browser has shown are seen again without it. */
  private static @Nullable Scenario shown;

  @Override
  protected Environment environment() {
    return ENVIRONMENT;
  }

  @Override
  protected Map<String, Object> config() {
    return Map.of("observation", "picture", "num_sites", 2, "num_pages", 4);
  }

  @Override
  protected Scenario scenario() {
    if (shown == null) {
      shown = fresh();
    }
    return shown;
  }
}
