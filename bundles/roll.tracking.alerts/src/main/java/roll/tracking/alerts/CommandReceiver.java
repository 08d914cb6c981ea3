package roll.tracking.alerts;

import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import roll.api.plugin.ProcessTag;

/**
 * A program that gets an alert as JSON on its standard input, and as {@code ROLL_ALERT} and {@code
 * ROLL_ALERT_TEXT} in its environment. Its output is dropped; when its time is up it is killed with
 * all its descendants.
 */
record CommandReceiver(List<String> arguments) implements AlertReceiver {
  @Override
  public void deliver(Alert alert, Duration limit) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(arguments)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().put("ROLL_ALERT", alert.rule());
    builder.environment().put("ROLL_ALERT_TEXT", alert.text());
    ProcessTag tag = ProcessTag.on(builder);
    Process process = builder.start();
    try {
      write(process, alert.json());
      if (!process.waitFor(limit)) {
        throw new IOException("it did not end within " + Deliveries.seconds(limit));
      }
    } finally {
      if (process.isAlive()) {
        process.destroyForcibly();
        tag.end();
      }
    }
    if (process.exitValue() != 0) {
      throw new IOException("it ended with status " + process.exitValue());
    }
  }

  private static void write(Process process, String json) {
    try (Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
      input.write(json + "\n");
    } catch (IOException e) {
      // the program has ended or closed its input: its status decides
    }
  }

  @Override
  public String toString() {
    return arguments.getFirst();
  }
}
