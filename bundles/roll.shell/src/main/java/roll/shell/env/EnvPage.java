package roll.shell.env;

import java.util.List;
import java.util.Map;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.UserException;
import roll.runtime.option.YamlOptions;
import roll.shell.syntax.OptionLines;

/** All that a person wants to know of one environment. */
final class EnvPage {
  private EnvPage() {}

  /** Description, options and how an episode begins with the standard options and seed 0. */
  static String of(String id, Environment environment) {
    StringBuilder page = new StringBuilder();
    page.append(id).append(": ").append(environment.description()).append("\n\n");
    section(page, "options", OptionLines.of(environment.options()));
    try {
      example(page, environment);
    } catch (UserException e) {
      section(page, "an example needs options", e.getMessage());
    }
    return page.toString().stripTrailing();
  }

  private static void example(StringBuilder page, Environment environment) {
    Scenario scenario =
        environment.configure(YamlOptions.checked("env_config", Map.of(), environment.options()));
    section(page, "told once", scenario.instruction());
    try (Episode episode = scenario.reset(0)) {
      section(page, "first observation of seed 0", episode.observation());
      List<String> actions = episode.actions();
      if (!actions.isEmpty()) {
        section(page, "actions", String.join(", ", actions));
        section(page, "a response", episode.respond(actions.getFirst()));
      }
    }
  }

  private static void section(StringBuilder page, String heading, String text) {
    if (!text.isBlank()) {
      page.append(heading).append(":\n").append(text.stripTrailing().indent(2)).append('\n');
    }
  }
}
