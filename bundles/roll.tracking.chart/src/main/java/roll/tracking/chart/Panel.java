package roll.tracking.chart;

import java.util.regex.Pattern;

/** A panel of the picture, and its metrics. */
enum Panel {
  /** Panel: mean scores, in units of reward. */
  SCORE("Mean score", Pattern.compile("(?:val|rollout)/score/mean")),
  /** Shares of episodes that reached their goal. */
  SUCCESS("Success rate", Pattern.compile("(?:val/)?env/.+/success"));

  private final String label;
  private final Pattern metrics;

  Panel(String label, Pattern metrics) {
    this.label = label;
    this.metrics = metrics;
  }

  /** Returns the title of the vertical axis. */
  String label() {
    return label;
  }

  /** Returns whether metric {@code name} is drawn here. */
  boolean shows(String name) {
    return metrics.matcher(name).matches();
  }

  /** Returns the name of metric {@code name} in the legend. */
  String legend(String name) {
    boolean validation = name.startsWith("val/");
    String who = validation ? "validation" : "training";
    if (this == SCORE) {
      return who;
    }
    String tag = name.substring((validation ? "val/env/" : "env/").length());
    return who + ", " + tag.substring(0, tag.length() - "/success".length());
  }
}
