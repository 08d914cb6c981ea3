package roll.shell.env;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.shell.terminal.ActionPrompt;
import roll.shell.terminal.TerminalLines;
import roll.text.TerminalText;

/** Plays one episode with the actions of the user. */
final class EnvPlay {
  private final PrintStream out;
  private final ActionPrompt asking;
  private double score;
  private int turns;

  EnvPlay(TerminalLines lines, PrintStream out) {
    this.out = out;
    this.asking = new ActionPrompt(lines, out);
  }

  /** Plays the episode of {@code seed} until it ends or the person quits. */
  void play(Environment environment, Scenario scenario, long seed)
      throws IOException, InterruptedException {
    out.println(environment.description());
    try (Episode episode = scenario.reset(seed)) {
      show(scenario.instruction());
      String observation = episode.observation();
      while (true) {
        show(
            episode.picture().isPresent() ? "(picture not shown: this terminal is text only)" : "");
        show(observation);
        Optional<String> response =
            asking.response(episode.actions(), episode::respond, episode::expert);
        if (response.isEmpty()) {
          out.println("quit after " + summary());
          return;
        }
        Step step = episode.step(response.get());
        observation = step.observation();
        turns++;
        score += step.reward();
        out.println(metrics(step));
        if (step.done()) {
          show(observation);
          boolean success = step.metrics().getOrDefault("success", 0.0) > 0;
          String how = success ? "success" : step.truncated() ? "truncated" : "no success";
          out.println(how + " after " + summary());
          return;
        }
      }
    }
  }

  private void show(String text) {
    if (!text.isBlank()) {
      out.println(TerminalText.visible(text.replace("\r\n", "\n")).stripTrailing());
    }
  }

  private static String metrics(Step step) {
    return "reward "
        + number(step.reward())
        + step.metrics().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(metric -> ", " + metric.getKey() + " " + number(metric.getValue()))
            .collect(Collectors.joining());
  }

  private String summary() {
    return turns + (turns == 1 ? " turn" : " turns") + ", score " + number(score);
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, "%.3f", number).replaceFirst("\\.?0+$", "");
  }
}
