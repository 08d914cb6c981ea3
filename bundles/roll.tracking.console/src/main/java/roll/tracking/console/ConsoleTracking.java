package roll.tracking.console;

import java.io.PrintStream;
import java.util.Map;
import roll.api.tracking.Tracking;

/** Prints the step lines and the progress bar of one run. */
final class ConsoleTracking implements Tracking {
  /** Moves to the first column and erases the line. */
  private static final String ERASE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private final Progress progress;
  private final StepLine line;
  private final ProgressBar bar;

  ConsoleTracking(PrintStream out, boolean terminal, Progress progress) {
    this.out = out;
    this.terminal = terminal;
    this.progress = progress;
    line = new StepLine(progress.maxSteps());
    bar = new ProgressBar(out.charset().newEncoder().canEncode('█'));
    drawBar();
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    progress.finished(step);
    String text = line.of(step, metrics);
    print(terminal ? text : text + "  " + progress.remaining());
  }

  @Override
  public void notice(String text) {
    print("notice: " + text);
  }

  /** Prints a line, above the progress bar if there is one. */
  private void print(String text) {
    out.print(terminal ? ERASE : "");
    out.println(text);
    drawBar();
    out.flush();
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    if (terminal) {
      out.println();
    }
    out.flush();
  }

  private void drawBar() {
    if (terminal) {
      out.print(ERASE + bar.of(progress));
      out.flush();
    }
  }
}
