package roll.shell.env;

import java.util.List;
import java.util.Map;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.UserException;
import roll.runtime.option.YamlOptions;
import roll.shell.syntax.OptionText;
import roll.shell.terminal.SectionedText;

/** The output of {@code env show}. */
final class EnvReport {
  private EnvReport() {}

  /** Returns description, options, and the first observation with default options and seed 0. */
  static String of(String id, Environment environment) {
    SectionedText page =
        new SectionedText(id + ": " + environment.description())
            .add("options", OptionText.of(environment.options()));
    try {
      example(page, environment);
    } catch (UserException e) {
      page.add("an example needs options", e.getMessage());
    }
    return page.toString();
  }

  private static void example(SectionedText page, Environment environment) {
    try (Scenario scenario =
            environment.configure(
                YamlOptions.checked("env_config", Map.of(), environment.options()));
        Episode episode = scenario.reset(0)) {
      page.add("instruction", scenario.instruction());
      page.add("first observation with seed 0", episode.observation());
      List<String> actions = episode.actions();
      if (!actions.isEmpty()) {
        page.add("actions", String.join(", ", actions));
        page.add("example response", episode.respond(actions.getFirst()));
      }
    }
  }
}
