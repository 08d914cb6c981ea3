package roll.tracking.console;

import java.util.Locale;

/** A progress bar, less than 80 columns wide. */
final class ProgressBar {
  private static final int WIDTH = 30;

  private final String full;
  private final String empty;

  /** A bar of blocks if the terminal supports {@code unicode}, otherwise of ASCII. */
  ProgressBar(boolean unicode) {
    full = unicode ? "█" : "#";
    empty = unicode ? "░" : ".";
  }

  /** Returns the current text of the bar. */
  String of(Progress progress) {
    double share = progress.maxSteps() > 0 ? (double) progress.done() / progress.maxSteps() : 1;
    int cells = (int) (share * WIDTH);
    return String.format(
        Locale.ROOT,
        "%s%s %3d %%  %d/%d  %s",
        full.repeat(cells),
        empty.repeat(WIDTH - cells),
        (int) (share * 100),
        progress.done(),
        progress.maxSteps(),
        progress.remaining());
  }
}
